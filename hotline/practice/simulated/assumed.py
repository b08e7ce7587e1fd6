"""What is assumed of a night's callers. Starting weights to exercise the screening with, never evidence of behaviour.

Everything drawn in `chairs` and `pranks` is drawn by these numbers, and they are printed with every result. Shares are
of 1; times are seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

CHAIRS: Mapping[str, float] = {
    "unregistered phone": 0.15,
    "out-of-state mobile": 0.20,
    "landline": 0.15,
    "withheld number": 0.005,
    "phone sends no keys": 0.01,
    "slow": 0.08,
    "code mistyped": 0.04,
    "PIN mistyped": 0.05,
    "PIN mistyped twice": 0.01,
    "PIN misremembered": 0.005,
    "another precinct's code": 0.003,
    "silent at first": 0.03,
    "wants a person": 0.02,
    "lost at once": 0.02,
    "cut off in the middle": 0.06,
    "redials in a jam": 0.01,
    "calls early": 0.01,
    "county chair": 0.04,
    "shares a phone": 0.01,
}
"""Of all precincts' chairs, each drawn apart from the others: one chair may be slow, on a landline and cut off."""

ABROAD = 3
"""Satellites abroad, that keep hours of their own and call from foreign numbers."""
SHARED_BY = 4
"""Chairs who report from one school's telephone."""
JAM = (6, 9.0 * 60)
"""Calls lost at once by a chair in a jam, and the time they fall in."""

VERSTAT: Mapping[str, Mapping[str, float]] = {
    "mobile": {"passed-A": 0.60, "passed-B": 0.06, "passed-C": 0.02, "none": 0.317, "failed": 0.003},
    "landline": {"passed-A": 0.15, "passed-B": 0.10, "none": 0.748, "failed": 0.002},
    "abroad": {"none": 0.90, "passed-C": 0.10},
    "rented": {"passed-A": 0.25, "passed-B": 0.35, "passed-C": 0.15, "none": 0.25},
    "forged": {"failed": 0.50, "none": 0.50},
}
"""What the carrier vouches for, by kind of telephone. Landlines pass exchanges that sign nothing."""


@dataclass(frozen=True)
class Prank:
    """One kind of prankster: how many telephone numbers there are of it, and the kind of telephone.

    `calls` from each number, at least and at most; None: as `PERSISTENCE` has it.
    """

    numbers: int
    calls: tuple[int, int] | None = None
    phone: str = "mobile"


PRANKS: Mapping[str, Prank] = {
    "hangs up": Prank(1838, (1, 2)),
    "is silent": Prank(300),
    "talks": Prank(250),
    "wants a person": Prank(65),
    "guesses": Prank(110, (3, 12)),
    "sprays": Prank(25, (25, 55), "rented"),
    "guesses, many numbers": Prank(600, (1, 3), "rented"),
    "forges a chair's number": Prank(36, (1, 3), "forged"),
    "redials by machine": Prank(46, (50, 90), "rented"),
    "neighbour of a chair": Prank(60, (2, 8), "rented"),
    "presses anything": Prank(170),
}
"""Pranksters by kind: with `PERSISTENCE` about 10,000 calls from 3,500 numbers in two hours."""

PERSISTENCE: Mapping[tuple[int, int], float] = {(1, 1): 0.82, (2, 4): 0.13, (5, 25): 0.05}
"""How often one number calls: most try it once, a few make an evening of it. Guessers guess on: see `PRANKS`."""

WITHHELD_PRANKS = 0.10
"""Of pranksters on telephones of their own, those who withhold the number at every call."""
TARGETED = 12
"""Precincts the guessing from many numbers goes for."""
KNOWN_CODES = 0.6
"""Of guesses, those on a precinct's real code, read off a photograph; the rest are five digits out of the air."""
OBVIOUS_PINS = 0.35
"""Of a guesser's PINs, those a person thinks of first: runs, repeated digits, the date."""
CHALLENGE_PASSED: Mapping[str, float] = {"chair": 0.98, "person": 0.95, "machine": 0.01}
"""Who keys three spoken digits right in one try."""

NIGHT_LONG = 2.0 * 3600
"""The pranks fall in these hours, which begin an hour after the doors open."""
REPORTS_AT = (110.0 * 60, 30.0 * 60)
"""When chairs call: mean and spread, after the doors."""
REPORT_TAKES = (110.0, 330.0)
"""From the sign-in to the confirmation number."""
STAFF = 24
"""People who take calls."""
CAPACITY = 500
"""Calls at once the line was tested for."""
CHAIR_TALK, PRANK_TALK, SILENT_TALK = 180.0, 120.0, 20.0
"""How long a person talks with a chair, with a prankster before seeing through it, and to somebody who says nothing."""
STAFF_MARK = 0.8
"""Of the pranksters who reached a person, those staff mark as abusive."""
MOST_CHAIR_CALLS, MOST_KEYLESS_CALLS = 12, 3
"""Calls after which a chair gives up on the line, and on a telephone whose keys it does not hear."""


def assumptions() -> dict[str, Any]:
    """All of it, ready for JSON."""
    return {
        "note": "starting weights to exercise the screening with, never evidence of how callers behave",
        "unscreened_line": "every number met as one on file is, every PIN judged, staff for all who ask",
        "chairs": dict(CHAIRS),
        "verstat": {kind: dict(shares) for kind, shares in VERSTAT.items()},
        "pranks": {kind: asdict(prank) for kind, prank in PRANKS.items()},
        "prank_calls_by_number": {f"{least}-{most}": share for (least, most), share in PERSISTENCE.items()},
        "pranks_withheld": WITHHELD_PRANKS,
        "pranks_targeted_precincts": TARGETED,
        "pranks_known_codes": KNOWN_CODES,
        "pranks_obvious_pins": OBVIOUS_PINS,
        "challenge_passed": dict(CHALLENGE_PASSED),
        "staff": STAFF,
        "capacity": CAPACITY,
        "staff_mark_abusive": STAFF_MARK,
        "chair_talk_s": CHAIR_TALK,
        "prank_talk_s": PRANK_TALK,
        "silent_talk_s": SILENT_TALK,
        "jam": {"calls": JAM[0], "within_s": JAM[1]},
        "satellites_abroad": ABROAD,
        "most_chair_calls": MOST_CHAIR_CALLS,
        "most_keyless_chair_calls": MOST_KEYLESS_CALLS,
        "chairs_sharing_a_phone": SHARED_BY,
    }
