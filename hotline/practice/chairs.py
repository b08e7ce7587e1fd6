"""A simulated chair: the reports in hand, how this one behaves, and what was keyed so far. What a chair presses at each
question stands in `answers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hotline.caucus.contest import Contest
from hotline.caucus.worksheet import Tallies, Worksheet
from hotline.practice.habits import Habits, Where
from hotline.practice.listening import Ear

HEADCOUNT: Where = ("headcount", "")
SECTIONS = ("first", "final", "delegates")


@dataclass(frozen=True)
class Errand:
    """One report to phone in: what the packet and the worksheet say, and how this chair goes about it."""

    code: str
    pin: str = field(repr=False)
    spoken: str
    sheet: Worksheet
    headcount: int
    habits: Habits


@dataclass
class Chair:
    """One chair's evening. Whatever a call leaves undone the next call finishes.

    `confirmed` maps a precinct's code to the confirmation number heard. `at` is the number that was asked for or looked
    up last, `keyed` what was keyed for the report at hand, `offered` the splits of delegates the phone named, by key.
    """

    errands: Sequence[Errand]
    contest: Contest
    ear: Ear = field(repr=False)
    number: str
    confirmed: dict[str, str] = field(default_factory=dict)
    is_challenged: bool = False
    is_signed_in: bool = False
    section: str = "first"
    at: Where | None = None
    keyed: dict[Where, int] = field(default_factory=dict)
    offered: dict[str, Mapping[str, int]] = field(default_factory=dict)
    answers: int = 0
    at_a_loss: int = 0
    spent: set[str] = field(default_factory=set)

    @property
    def errand(self) -> Errand:
        """The report at hand; the last one once all are done."""
        return next((each for each in self.errands if each.code not in self.confirmed), self.errands[-1])

    @property
    def is_done(self) -> bool:
        """Whether every errand's confirmation number was heard."""
        return all(each.code in self.confirmed for each in self.errands)

    def picks_up(self) -> None:
        """A new call: the line has asked nothing yet."""
        self.is_signed_in, self.at, self.at_a_loss = False, None, 0

    def once(self, slip: str) -> bool:
        """Whether a slip of this errand is still to happen; from now on it has happened."""
        slip = f"{self.errand.code} {slip}"
        if slip in self.spent:
            return False
        self.spent.add(slip)
        return True

    def right(self, where: Where) -> int:
        """What the worksheet says there."""
        section, group = where
        return self.errand.headcount if where == HEADCOUNT else counts(self.errand.sheet, section).get(group, 0)

    def wrong(self) -> Where | None:
        """The first number that was keyed otherwise than the worksheet says."""
        return next((where for where, count in self.keyed.items() if count != self.right(where)), None)

    def notices(self, when: str) -> Where | None:
        """A mistyped number this chair becomes aware of now."""
        return self.wrong() if self.errand.habits.notices == when and self.errand.habits.slips else None

    def heard_number(self, confirmation: str) -> None:
        """The confirmation number of the report at hand is written down, digits as spoken."""
        self.confirmed[self.errand.code] = confirmation.replace(" ", "")


def counts(sheet: Worksheet, section: str) -> Tallies:
    """One section of a worksheet."""
    return {"first": sheet.first, "final": sheet.final, "delegates": sheet.delegates}[section]


def headcount(sheet: Worksheet) -> int:
    """The headcount, or where it was not collected the larger alignment: nobody was counted who was not there."""
    if sheet.headcount is not None:
        return sheet.headcount
    return max(sum(sheet.first.values()), sum(sheet.final.values()))
