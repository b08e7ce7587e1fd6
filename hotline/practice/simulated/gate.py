"""What simulated nights come to: the gate they have to pass, and how often each rule hit a chair and a prankster.

The gate is that of the release: it fails the build. A rule's hits on chairs are the false positives of the night.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from hotline.practice.simulated.assumed import assumptions
from hotline.practice.simulated.tally import DECISIONS, LANES, OUTCOMES, Tally, Who

MOST_CHALLENGED, MOST_SLOWED = 1.0, 0.05
"""Per cent of the chairs."""
LEAST_CUT, MOST_REACHING = 75.0, 2.0
"""Per cent of the minutes pranks hold lines, and of the prank calls."""


@dataclass(frozen=True)
class Gate:
    """Five figures and whether they pass. A chair told to call later counts as rejected."""

    chairs_challenged_pct: float
    chairs_slow_laned_pct: float
    chairs_rejected: int
    prank_minutes_cut_pct: float
    pranks_reaching_person_pct: float

    @property
    def has_passed(self) -> bool:
        """Whether every figure is within its bound."""
        return (
            self.chairs_challenged_pct <= MOST_CHALLENGED
            and self.chairs_slow_laned_pct <= MOST_SLOWED
            and self.chairs_rejected == 0
            and self.prank_minutes_cut_pct >= LEAST_CUT
            and self.pranks_reaching_person_pct <= MOST_REACHING
        )


def gate(screened: Tally, unscreened: Tally) -> Gate:
    """The gate's figures, of the same callers screened and let in."""
    return Gate(
        chairs_challenged_pct=_percent(screened.met["challenge"], screened.callers["chairs"]),
        chairs_slow_laned_pct=_percent(screened.met["slow"], screened.callers["chairs"]),
        chairs_rejected=screened.met["reject"] + screened.met["message"],
        prank_minutes_cut_pct=_percent(unscreened.seconds["all"] - screened.seconds["all"], unscreened.seconds["all"]),
        pranks_reaching_person_pct=_percent(screened.persons["pranks"], screened.calls["pranks"]),
    )


def document(screened: Tally, unscreened: Tally, nights: int, seed: int) -> dict[str, Any]:
    """Everything, as one JSON document."""
    found = gate(screened, unscreened)
    return {
        "gate": {**vars(found), "passed": found.has_passed},
        "rules": [
            {"rule": rule, "chairs": screened.rules["chairs", rule], "pranks": screened.rules["pranks", rule]}
            for rule in sorted({rule for _, rule in screened.rules})
        ],
        "decisions": _by_who(screened.decisions, DECISIONS),
        "lanes": _by_who(screened.lanes, LANES),
        "chairs": {
            "callers": screened.callers["chairs"],
            "calls": screened.calls["chairs"],
            "reported": {outcome: screened.outcomes[outcome] for outcome in OUTCOMES},
            "by_trait": _kinds(screened, "chairs"),
        },
        "pranks": {
            "calls": screened.calls["pranks"],
            "minutes": round(screened.seconds["all"] / 60),
            "minutes_unscreened": round(unscreened.seconds["all"] / 60),
            "reached_person": screened.persons["pranks"],
            "reached_person_unscreened": unscreened.persons["pranks"],
            "by_kind": {
                kind: {
                    **counts,
                    "minutes": round(screened.seconds[kind] / 60),
                    "minutes_unscreened": round(unscreened.seconds[kind] / 60),
                }
                for kind, counts in _kinds(screened, "pranks").items()
            },
        },
        "assumptions": assumptions(),
        "nights": nights,
        "seed": seed,
    }


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 3) if whole else 0.0


def _by_who(counts: Counter[tuple[Who, str]], names: tuple[str, ...]) -> dict[str, dict[str, int]]:
    return {who: {name: counts[who, name] for name in names} for who in ("chairs", "pranks")}


def _kinds(tally: Tally, who: Who) -> dict[str, dict[str, int]]:
    return {kind: dict(sorted(tally.kinds[each, kind].items())) for each, kind in sorted(tally.kinds) if each == who}
