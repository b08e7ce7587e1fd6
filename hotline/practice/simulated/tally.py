"""What simulated nights came to, counted while they go on. What is made of the counts stands in `gate`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Literal, get_args

from hotline.practice.simulated.people import Caller
from hotline.screening.verdict import Decision, Lane, Verdict

Who = Literal["chairs", "pranks"]
Outcome = Literal["by keys", "by a person", "by a call-back", "not at all"]
"""How a chair's report comes in."""

DECISIONS: tuple[str, ...] = get_args(Decision)
LANES: tuple[str, ...] = get_args(Lane)
OUTCOMES: tuple[str, ...] = get_args(Outcome)


@dataclass
class Tally:
    """Counts of one night or of several.

    `callers` are the chairs; `met` how many of them met each decision in any of their calls. `calls`, `decisions`,
    `lanes` and `rules` count rings. `persons`: calls that reached one. `seconds` are line time of pranks, of "all" and
    by kind. `kinds` counts what met the chairs of each trait, and the calls of each kind of prankster.
    """

    callers: Counter[Who] = field(default_factory=Counter)
    calls: Counter[Who] = field(default_factory=Counter)
    persons: Counter[Who] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    decisions: Counter[tuple[Who, str]] = field(default_factory=Counter)
    lanes: Counter[tuple[Who, str]] = field(default_factory=Counter)
    rules: Counter[tuple[Who, str]] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    kinds: defaultdict[tuple[Who, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def ring(self, who: Who, verdict: Verdict) -> None:
        """A call rang and was judged."""
        self.calls[who] += 1
        self.decisions[who, verdict.decision] += 1
        self.lanes[who, verdict.lane] += 1
        for code in {*verdict.reasons, *verdict.parts}:
            self.rules[who, code] += 1

    def over(self, caller: Caller, met: Set[str], outcome: Outcome) -> None:
        """The night is over for a chair, who met these decisions."""
        self.callers["chairs"] += 1
        self.outcomes[outcome] += 1
        self.met.update(met)
        for kind in caller.kinds:
            self.kinds["chairs", kind].update((*met, "callers", outcome))

    def prank(self, kind: str, decision: str, seconds: float) -> None:
        """A prank call is over."""
        self.kinds["pranks", kind].update(("calls", decision))
        self.seconds["all"] += seconds
        self.seconds[kind] += seconds

    def add(self, other: Tally) -> None:
        """The counts of one more night."""
        self.callers.update(other.callers)
        self.calls.update(other.calls)
        self.persons.update(other.persons)
        self.met.update(other.met)
        self.outcomes.update(other.outcomes)
        self.decisions.update(other.decisions)
        self.lanes.update(other.lanes)
        self.rules.update(other.rules)
        for kind, seconds in other.seconds.items():
            self.seconds[kind] += seconds
        for key, counts in other.kinds.items():
            self.kinds[key].update(counts)
