"""Delegates from the final alignment: round, then give or take one at a time until the split sums to the allotment.

An exact tie is settled by chance in the room, never by us: a division is what is certain plus the seats left to chance
among tied groups, and every legal outcome follows from it. Sources: the Nevada State Democratic Party's math memo of
26 September 2019 for rounding, adding and removing; the Iowa party's recanvass corrections of 2020 for the smallest
group dropping out. All arithmetic is on whole ten-thousandths: a raw share is kept to 4 decimals, so a tie is a tie at
4 decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import comb
from typing import Literal

from hotline.caucus.contest import RuleSet
from hotline.caucus.viability import threshold, viable
from hotline.caucus.worksheet import Tallies

ONE = 10_000
"""One delegate, in ten-thousandths."""

HALF = ONE // 2

MOST_OUTCOMES = 5_000
"""At most this many outcomes are listed. No report that can be true comes near: at 15 % six groups can tie, giving 20.

Fourteen tied groups, all an Iowa worksheet can hold, give 3,432. Whether a split is legal never needs the list: see
`Division.allows`.
"""

Why = Literal["plurality", "closest", "furthest", "smallest-drops-out"]


@dataclass(frozen=True)
class Move:
    """One step of the working: `change` (+1 or -1, for "plurality" +1) to each of `groups`, `times` over.

    When `seats` is smaller than the number of `groups` they are tied and chance picks that many of them. `distance` is
    what was compared: the way to the next whole delegate in ten-thousandths, or the group's size.
    """

    why: Why
    change: int
    groups: tuple[str, ...]
    seats: int
    distance: int
    times: int = 1


@dataclass(frozen=True)
class Division:
    """How a precinct's delegates divide: each group's certain part, and `seats` more among the `tied`, one each.

    `raw` (ten-thousandths) and `rounded` are the working before any move; both are empty for a single delegate.
    """

    certain: Tallies
    tied: tuple[str, ...] = ()
    seats: int = 0
    raw: Mapping[str, int] = field(default_factory=dict)
    rounded: Tallies = field(default_factory=dict)
    moves: tuple[Move, ...] = ()

    def allows(self, delegates: Tallies) -> bool:
        """Whether a split is one of the legal outcomes."""
        extra = {group: count - self.certain.get(group, 0) for group, count in delegates.items()}
        missing = any(count and group not in delegates for group, count in self.certain.items())
        is_fair = all(by == 0 or (by == 1 and group in self.tied) for group, by in extra.items())
        return not missing and is_fair and sum(extra.values()) == self.seats

    @property
    def ways(self) -> int:
        """How many legal outcomes there are, counted without listing them."""
        return comb(len(self.tied), self.seats)

    def example(self) -> Tallies:
        """One legal outcome: the first of `outcomes`."""
        return _without_zeros(_changed(self.certain, self.tied[: self.seats], 1))

    def outcomes(self) -> tuple[Tallies, ...]:
        """Every legal split (groups without a delegate left out), in a fixed order; at most MOST_OUTCOMES."""
        chosen = islice(combinations(self.tied, self.seats), MOST_OUTCOMES)
        return tuple(_without_zeros(_changed(self.certain, winners, 1)) for winners in chosen)


def outcomes(rules: RuleSet, delegates: int, headcount: int, final: Tallies) -> tuple[Tallies, ...]:
    """Every legal split of `delegates` for a final alignment; () when none is: nobody present or no viable group.

    One delegate goes to the largest group, by chance among equals. The order is fixed by group keys, not by the order
    of `final`.
    """
    division = divide(rules, delegates, headcount, final)
    return division.outcomes() if division else ()


def certain(legal: Sequence[Tallies]) -> Tallies:
    """What every one of the outcomes gives: the part chance does not touch, groups without a delegate left out."""
    if not legal:
        return {}
    return _without_zeros({group: min(split.get(group, 0) for split in legal) for group in legal[0]})


def divide(rules: RuleSet, delegates: int, headcount: int, final: Tallies) -> Division | None:
    """The division of `delegates` for a headcount and a final alignment, with its working; None when there is none."""
    if delegates < 1 or headcount < 1:
        return None
    if delegates == 1:
        return _single(final)
    sizes = dict(sorted(viable(final, threshold(rules, delegates, headcount)).items()))
    if not sizes:
        return None
    raw = {group: _to_four_decimals(size * delegates, headcount) for group, size in sizes.items()}
    rounded = {group: max(1, (share + HALF) // ONE) for group, share in raw.items()}
    start = Division(rounded, raw=raw, rounded=rounded)
    division = _take(_add(start, raw, delegates), raw, delegates)
    if rules.more_viable_than_delegates == "smallest-drops-out":
        return _drop(division, sizes, delegates)
    return division


def _single(final: Tallies) -> Division | None:
    """The one delegate goes to the largest group; the caucus elects it as a whole, so no threshold applies."""
    largest = max(final.values(), default=0)
    if largest < 1:
        return None
    groups = tuple(sorted(group for group, size in final.items() if size == largest))
    move = Move("plurality", 1, groups, 1, largest)
    if len(groups) == 1:
        return Division({groups[0]: 1}, moves=(move,))
    return Division({}, groups, 1, moves=(move,))


def _add(division: Division, raw: Mapping[str, int], delegates: int) -> Division:
    """Give one at a time to the group closest to its next whole delegate, until all are given."""
    while (missing := delegates - sum(division.certain.values())) > 0:
        ways = _distances(division.certain, raw, division.certain)
        if (times := _whole_rounds(ways, missing)) > 1:
            division = _move(division, Move("closest", 1, tuple(ways), len(ways), 0, times))
            continue
        nearest = min(ways.values())
        groups = tuple(group for group, way in ways.items() if way == nearest)
        division = _move(division, Move("closest", 1, groups, min(missing, len(groups)), nearest))
        if division.seats:
            break
    return division


def _take(division: Division, raw: Mapping[str, int], delegates: int) -> Division:
    """Take one at a time from the group furthest from its next whole delegate, never a group's only one."""
    while (over := sum(division.certain.values()) - delegates) > 0:
        ways = _distances(division.certain, raw, [group for group, count in division.certain.items() if count > 1])
        if not ways:
            break
        spare = min(division.certain[group] for group in ways) - 1
        if (times := min(_whole_rounds(ways, over), spare)) > 1:
            division = _move(division, Move("furthest", -1, tuple(ways), len(ways), 0, times))
            continue
        furthest = max(ways.values())
        groups = tuple(group for group, way in ways.items() if way == furthest)
        division = _move(division, Move("furthest", -1, groups, min(over, len(groups)), furthest))
    return division


def _drop(division: Division, sizes: Mapping[str, int], delegates: int) -> Division:
    """Each viable group has one and they are still too many: the smallest drop out."""
    while (over := sum(division.certain.values()) - delegates) > 0:
        left = [group for group, count in division.certain.items() if count]
        smallest = min(sizes[group] for group in left)
        groups = tuple(group for group in left if sizes[group] == smallest)
        division = _move(division, Move("smallest-drops-out", -1, groups, min(over, len(groups)), smallest))
    return division


def _move(division: Division, move: Move) -> Division:
    """The division after a move. A tie leaves seats to chance and ends the working: no other group comes before.

    Taking from some of the tied groups leaves the others theirs, so it too is seats given by chance.
    """
    is_tie = move.seats < len(move.groups)
    change = 0 if is_tie and move.change > 0 else move.change * move.times
    return Division(
        _changed(division.certain, move.groups, change),
        move.groups if is_tie else (),
        (move.seats if move.change > 0 else len(move.groups) - move.seats) if is_tie else 0,
        division.raw,
        division.rounded,
        (*division.moves, move),
    )


def _distances(counts: Tallies, raw: Mapping[str, int], groups: Iterable[str]) -> dict[str, int]:
    """The way from each group's raw share to one delegate more than it has."""
    return {group: (counts[group] + 1) * ONE - raw[group] for group in groups}


def _whole_rounds(ways: Mapping[str, int], count: int) -> int:
    """How often `count` seats go once around all groups, less two rounds that are then told seat by seat.

    Rounded shares leave groups less than two delegates apart, which those two rounds even out; then they take turns, so
    whole rounds may be skipped: a headcount of 1 keyed for a full room would otherwise be worked off for minutes.
    """
    return count // len(ways) - 2


def _to_four_decimals(numerator: int, denominator: int) -> int:
    """numerator ÷ denominator in ten-thousandths, rounded half up."""
    return (2 * numerator * ONE + denominator) // (2 * denominator)


def _changed(counts: Tallies, groups: Sequence[str], change: int) -> dict[str, int]:
    changed = dict(counts)
    for group in groups:
        changed[group] = changed.get(group, 0) + change
    return changed


def _without_zeros(counts: Tallies) -> dict[str, int]:
    return {group: count for group, count in counts.items() if count}
