"""Which versions stand beside the current one: those it neither corrects nor was told of."""

from __future__ import annotations

import pytest

from hotline.events.decisions import ReportAccepted, ReportRejected
from hotline.events.kinds import Event, ReportConfirmed
from hotline.events.standing import Recorded, fold

CODE = "00018"


def told(version: int, base: int) -> ReportConfirmed:
    """A version that corrects `base`, or none (0)."""
    return ReportConfirmed(CODE, version, f"{version:06d}", 9, {}, {}, {}, "rule", (), base)


def accepted(version: int) -> ReportAccepted:
    return ReportAccepted(CODE, version, "ana", "seen")


def rejected(version: int) -> ReportRejected:
    return ReportRejected(CODE, version, "ana", "misread")


CASES: dict[str, tuple[list[Event], tuple[int, ...]]] = {
    "nothing told": ([], ()),
    "one report": ([told(1, 0)], ()),
    "a correction": ([told(1, 0), told(2, 1)], ()),
    "two reports, each of its own": ([told(1, 0), told(2, 0)], (1,)),
    "two corrections of the same version": ([told(1, 0), told(2, 1), told(3, 1)], (2,)),
    "a correction of the newest settles it": ([told(1, 0), told(2, 0), told(3, 2)], ()),
    "a correction of an older one does not": ([told(1, 0), told(2, 0), told(3, 1)], (2,)),
    "three of their own": ([told(1, 0), told(2, 0), told(3, 0)], (2, 1)),
    "a rival's base is settled by the rival": ([told(1, 0), told(2, 1), told(3, 0)], (2,)),
    "the newer is rejected": ([told(1, 0), told(2, 0), rejected(2)], ()),
    "the older is rejected": ([told(1, 0), told(2, 0), rejected(1)], ()),
    "both are rejected": ([told(1, 0), told(2, 0), rejected(1), rejected(2)], ()),
    "corrected after a rejection": ([told(1, 0), told(2, 1), rejected(2), told(3, 1)], ()),
    "what it corrected is rejected later": ([told(1, 0), told(2, 1), told(3, 2), rejected(2)], ()),
    "told again after a rejection": ([told(1, 0), rejected(1), told(2, 0)], ()),
    "an accepted version settles what was before": ([told(1, 0), told(2, 0), accepted(2), told(3, 0)], (2,)),
    "accepting it leaves the rival named": ([told(1, 0), told(2, 0), accepted(2)], (1,)),
}


@pytest.mark.parametrize(("events", "expected"), CASES.values(), ids=CASES)
def test_rivals(events: list[Event], expected: tuple[int, ...]) -> None:
    """By what each version corrects, and what staff said since; the order of their saying makes no difference."""
    standing = fold(CODE, [Recorded(seq, "", "", CODE, event) for seq, event in enumerate(events, 1)])
    assert tuple(rival.version for rival in standing.rivals) == expected
