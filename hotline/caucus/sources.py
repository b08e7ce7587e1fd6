"""One precinct told twice: whether what another source says is the same as the report. Pure.

A source is a confirmed version nobody corrected, a staff entry, an observer's or the paper's worksheet; which of them
speak beside the report, and which correct it, is the caller's to know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hotline.caucus.contest import Contest, Precinct
from hotline.caucus.worksheet import Finding, Section, Worksheet

_ORDER: tuple[Section, ...] = ("first", "final", "delegates")
_SAID: Mapping[Section, str] = {"first": "first", "final": "final", "delegates": "delegates of"}


@dataclass(frozen=True)
class Difference:
    """One number two worksheets differ in: its section, its group ("" for the headcount) and both counts."""

    section: Section
    group: str
    here: int | None
    there: int | None


def differences(contest: Contest, here: Worksheet, there: Worksheet) -> tuple[Difference, ...]:
    """What differs between two worksheets as keyed, in worksheet order. A headcount one of them lacks is none."""
    return tuple(_differences(contest, here, there))


def conflicting_reports(
    contest: Contest, precinct: Precinct, name: str, worksheet: Worksheet, others: Mapping[str, Worksheet]
) -> Finding | None:
    """CONFLICTING_REPORTS when other sources for the precinct say other numbers; None when all of them agree.

    `name` is what the report is called beside the `others`, which stand by theirs: "version 2". To be asked of the
    numbers as keyed. The section is the first one that differs.
    """
    found = {other: each for other, sheet in others.items() if (each := differences(contest, worksheet, sheet))}
    if not found:
        return None
    told = "; ".join(
        f"{name} and {other} differ and neither corrects the other: {', '.join(_told(contest, one) for one in each)}"
        for other, each in found.items()
    )
    every = [one for each in found.values() for one in each]
    first = min((one.section for one in every), key=_ORDER.index)
    groups = tuple(key for key in contest.keys if any(one.group == key for one in every))
    text = f"{precinct.county}, {precinct.name}: {told}"
    return Finding(
        "CONFLICTING_REPORTS", "hard", first, text, {"others": len(found), "differences": len(every)}, groups
    )


def _differences(contest: Contest, here: Worksheet, there: Worksheet) -> Iterator[Difference]:
    if None not in (here.headcount, there.headcount) and here.headcount != there.headcount:
        yield Difference("first", "", here.headcount, there.headcount)
    ours_by_section, theirs_by_section = ((sheet.first, sheet.final, sheet.delegates) for sheet in (here, there))
    for section, ours, theirs in zip(_ORDER, ours_by_section, theirs_by_section, strict=True):
        for key in contest.keys:
            if ours.get(key, 0) != theirs.get(key, 0):
                yield Difference(section, key, ours.get(key, 0), theirs.get(key, 0))


def _told(contest: Contest, one: Difference) -> str:
    what = f"{_SAID[one.section]} {contest.by_key[one.group].spoken}" if one.group else "headcount"
    return f"{what} {one.here} and {one.there}"
