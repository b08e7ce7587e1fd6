"""One worksheet under judgement: what follows from its numbers, and the words and data a check answers with.

The checks themselves stand in `alignment_checks` and `delegate_checks`, their list in `checks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from hotline.caucus.apportion import Division, divide
from hotline.caucus.contest import Contest, Precinct
from hotline.caucus.early import early_votes, in_the_room
from hotline.caucus.viability import allotment, threshold
from hotline.caucus.worksheet import Tallies, Worksheet


@dataclass(frozen=True)
class Case:
    """A worksheet with its headcount settled and what follows from it, each worked out once.

    The worksheet counts everybody, early ballots included (see `early`); `room` is what was keyed for the people there.
    """

    contest: Contest
    precinct: Precinct
    worksheet: Worksheet
    headcount: int

    @cached_property
    def allotment(self) -> int:
        """D: the delegates the site elects."""
        return allotment(self.contest, self.precinct, self.headcount)

    @cached_property
    def threshold(self) -> int:
        """The smallest viable group."""
        return threshold(self.contest.rules, self.allotment, self.headcount)

    @cached_property
    def first(self) -> int:
        """Everybody in the first alignment."""
        return sum(self.worksheet.first.values())

    @cached_property
    def final(self) -> int:
        """Everybody in the final alignment."""
        return sum(self.worksheet.final.values())

    @cached_property
    def room(self) -> Worksheet:
        """The people in the room alone; the worksheet itself where nobody voted early."""
        return in_the_room(self.contest, self.precinct, self.worksheet)

    @cached_property
    def exhausted(self) -> int:
        """Early ballots that name no group viable after the first alignment, and so are in no final group."""
        return early_votes(self.contest, self.precinct, self.worksheet).exhausted

    @cached_property
    def delegates(self) -> int:
        """All delegates as reported."""
        return sum(self.worksheet.delegates.values())

    @cached_property
    def viable(self) -> frozenset[str]:
        """The groups of the final alignment that reach the threshold."""
        return frozenset(group for group, size in self.worksheet.final.items() if size >= self.threshold)

    @cached_property
    def division(self) -> Division | None:
        """The split by rule."""
        return divide(self.contest.rules, self.allotment, self.headcount, self.worksheet.final)

    @property
    def elects_one(self) -> bool:
        """Whether a single delegate is elected: by the caucus as a whole, so viability and lock-in do not apply.

        Nor do they where none is: at a satellite to which nobody came.
        """
        return self.allotment <= 1

    @property
    def allocates(self) -> bool:
        """Whether there is anything to divide: somebody came, and a group is viable where that is asked."""
        return self.headcount > 0 and (self.elects_one or bool(self.viable))

    def groups(self, which: Callable[[str], bool]) -> tuple[str, ...]:
        """The preference groups that `which` picks, in worksheet order."""
        return tuple(key for key in self.contest.keys if which(key))

    def name(self, group: str) -> str:
        """A group's name as spoken."""
        return self.contest.by_key[group].spoken


@dataclass(frozen=True)
class Breach:
    """What a check found: the numbers and the rule in words, and as data."""

    text: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    groups: tuple[str, ...] = ()


def count(tallies: Tallies, group: str) -> int:
    """A group's count; one that is absent counts 0."""
    return tallies.get(group, 0)


def told(case: Case, groups: Iterable[str], words: Callable[[str], str]) -> str:
    """What is said of each group, one after the other: "Biden kept 3, Yang kept 2"."""
    return ", ".join(f"{case.name(group)} {words(group)}" for group in groups)


def split(case: Case, delegates: Tallies) -> str:
    """Delegates by group in worksheet order: "Biden 2, Sanders 3"."""
    return told(case, case.groups(lambda key: count(delegates, key) > 0), lambda key: str(delegates[key]))


def numbers(groups: Iterable[str], **columns: Tallies) -> dict[str, int]:
    """The counts of some groups as data: "first.Biden", "final.Biden"."""
    return {f"{column}.{group}": count(tallies, group) for group in groups for column, tallies in columns.items()}
