"""Delegates from the final alignment: the parties' own worked cases, and what must hold for every room."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hotline.caucus.apportion import Move, certain, divide, outcomes
from hotline.caucus.contest import RuleSet
from hotline.caucus.viability import threshold
from hotline.caucus.worksheet import Worksheet
from tests.caucus.party_rules import IOWA, KEYS, NEVADA, rooms

Sizes = tuple[int, ...]


def legal(rules: RuleSet, delegates: int, headcount: int, *sizes: int) -> set[Sizes]:
    """Every legal split as a tuple in the order of `sizes`."""
    final = {KEYS[at]: size for at, size in enumerate(sizes)}
    splits = outcomes(rules, delegates, headcount, final)
    return {tuple(split.get(key, 0) for key in final) for split in splits}


@pytest.mark.parametrize(
    ("name", "delegates", "headcount", "sizes", "expected"),
    [
        ("Bellair/Lincoln: only the first may lose one", 4, 13, (6, 3, 2, 2), {(1, 1, 1, 1)}),
        ("Dickinson 5: +1 to the closest", 7, 59, (11, 27, 20), {(1, 3, 3)}),
        ("Dubuque 31", 11, 225, (63, 69, 38, 49), {(3, 3, 2, 3)}),
        ("Auburn: three viable for two delegates", 2, 11, (5, 3, 3), {(1, 1, 0), (1, 0, 1)}),
        ("Guthrie Gold", 14, 62, (13, 13, 13, 11, 10), {(3, 3, 3, 3, 2)}),
        ("Jackson 10: three equal for two", 2, 19, (6, 6, 6), {(1, 1, 0), (1, 0, 1), (0, 1, 1)}),
        ("Des Moines 14", 6, 161, (25, 52, 50, 31), {(1, 2, 2, 1)}),
        ("Muscatine 2", 8, 100, (17, 43, 22, 17), {(1, 4, 2, 1)}),
        ("Des Moines 28", 10, 133, (35, 22, 51, 23), {(2, 2, 4, 2)}),
        ("Ottumwa 8", 13, 64, (14, 24, 20), {(3, 5, 5)}),
        ("Des Moines 80", 10, 215, (48, 66, 101), {(2, 3, 5)}),
        ("one delegate, one largest group", 1, 9, (4, 5), {(0, 1)}),
        ("one delegate, chance among equals", 1, 9, (4, 4, 1), {(1, 0, 0), (0, 1, 0)}),
        ("one delegate needs no threshold", 1, 100, (3, 2), {(1, 0)}),
        ("everybody left", 1, 9, (0, 0), set()),
        ("nobody reaches the threshold", 4, 100, (14, 14), set()),
        ("nobody came", 4, 0, (0, 0), set()),
        ("four tied for two of them: six outcomes", 6, 40, (10, 10, 10, 10), {
            (1, 1, 2, 2), (1, 2, 1, 2), (1, 2, 2, 1), (2, 1, 1, 2), (2, 1, 2, 1), (2, 2, 1, 1)}),
    ],
)  # fmt: skip
def test_iowa(name: str, delegates: int, headcount: int, sizes: Sizes, expected: set[Sizes]) -> None:
    """Worked cases, most of them corrections the Iowa party made in its own recanvass."""
    assert legal(IOWA, delegates, headcount, *sizes) == expected


@pytest.mark.parametrize(
    ("name", "delegates", "headcount", "sizes", "expected"),
    [
        ("P1A", 7, 79, (14, 19, 18, 12, 16), {(1, 2, 2, 1, 1)}),
        ("P2A: each viable group keeps one, one is added", 4, 76, (13, 13, 13, 13, 24), {(1, 1, 1, 1, 1)}),
        ("P3B: +1 to each in turn", 10, 75, (0, 0, 0, 23, 27), {(0, 0, 0, 5, 5)}),
        ("P4A: three tied, one loses by high card", 5, 60, (0, 20, 20, 20, 0), {
            (0, 1, 2, 2, 0), (0, 2, 1, 2, 0), (0, 2, 2, 1, 0)}),
    ],
)  # fmt: skip
def test_nevada(name: str, delegates: int, headcount: int, sizes: Sizes, expected: set[Sizes]) -> None:
    """The examples of the Nevada party's math memo."""
    assert legal(NEVADA, delegates, headcount, *sizes) == expected


def test_certain_is_what_chance_does_not_touch() -> None:
    """Of 1/1/0 and 1/0/1 only the first is certain; all of a sole outcome is, and nothing where there is none."""
    assert certain(outcomes(IOWA, 2, 11, {"Ash": 5, "Birch": 3, "Cedar": 3})) == {"Ash": 1}
    assert certain(outcomes(IOWA, 7, 59, {"Ash": 11, "Birch": 27, "Cedar": 20})) == {"Ash": 1, "Birch": 3, "Cedar": 3}
    assert certain(()) == {}


@pytest.mark.parametrize(
    ("delegates", "headcount", "sizes", "moves"),
    [
        (1, 9, (4, 5), (Move("plurality", 1, ("Birch",), 1, 5),)),
        (1, 9, (4, 4, 1), (Move("plurality", 1, ("Ash", "Birch"), 1, 4),)),
        (7, 59, (11, 27, 20), (Move("closest", 1, ("Cedar",), 1, 6271),)),
        (4, 13, (6, 3, 2, 2), (Move("furthest", -1, ("Ash",), 1, 11538),)),
        (2, 11, (5, 3, 3), (Move("smallest-drops-out", -1, ("Birch", "Cedar"), 1, 3),)),
        (12, 80, (12,), (
            Move("closest", 1, ("Ash",), 1, 0, 8), Move("closest", 1, ("Ash",), 1, 92_000),
            Move("closest", 1, ("Ash",), 1, 102_000))),
        (2, 10, (16, 151), (
            Move("furthest", -1, ("Ash", "Birch"), 2, 0, 2), Move("furthest", -1, ("Birch",), 1, 0, 25),
            Move("furthest", -1, ("Birch",), 1, -262_000), Move("furthest", -1, ("Birch",), 1, -272_000))),
        (4, 100, (60, 40), ()),
    ],
)  # fmt: skip
def test_the_working_as_data(delegates: int, headcount: int, sizes: Sizes, moves: tuple[Move, ...]) -> None:
    """Each step says what was compared, of whom, for how many; none is made where rounding already sums to D."""
    division = divide(IOWA, delegates, headcount, {KEYS[at]: size for at, size in enumerate(sizes)})
    assert division is not None
    assert division.moves == moves
    assert division.tied == (moves[-1].groups if division.seats else ())


def test_a_tie_is_a_tie_at_four_decimals() -> None:
    """9,999 and 10,001 of 200,000,000 share 4 decimals with one delegate between them; the memo keeps four."""
    wide = RuleSet({1: IOWA.thresholds[1], 2: IOWA.thresholds[4] / 10**6}, "smallest-drops-out", "coin toss")
    splits = legal(wide, 3, 200_000_000, 100_000_000, 99_999_999)
    assert splits == {(2, 1), (1, 2)}


def test_a_seat_by_chance_makes_up_for_no_certain_one() -> None:
    """Ash has one for certain and one of two others: Birch's one is not by rule without Ash's."""
    division = divide(IOWA, 2, 11, {"Ash": 5, "Birch": 3, "Cedar": 3})
    assert division is not None
    assert division.allows({"Ash": 1, "Birch": 1})
    assert not division.allows({"Birch": 1})
    assert not division.allows({"Birch": 1, "Cedar": 1})


def test_fourteen_tied_groups_are_listed_whole_and_more_are_cut_short() -> None:
    """All 3,432 ways to settle the largest tie an Iowa worksheet holds; a larger one is still judged exactly."""
    tied = {f"g{at:02d}": 9 for at in range(14)}
    assert len(outcomes(IOWA, 7, 14, tied)) == 3432
    wider = {f"g{at:02d}": 9 for at in range(20)}
    division = divide(IOWA, 10, 20, wider)
    assert division is not None
    assert (len(division.outcomes()), division.ways) == (5_000, 184_756)
    assert division.allows(dict.fromkeys(list(wider)[10:], 1))
    assert not division.allows(dict.fromkeys(list(wider)[11:], 1))


def test_a_headcount_of_one_keyed_for_a_full_room_is_worked_off_at_once() -> None:
    """Half a million delegates too many are taken in rounds, not one by one, with the same result in small."""
    assert legal(IOWA, 50, 1, 99_999, 99_999) == {(25, 25)}
    assert legal(IOWA, 7, 10, 30, 30, 20) == _one_by_one(7, 10, (30, 30, 20))


def _one_by_one(delegates: int, headcount: int, sizes: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The rule as the memo tells it, seat by seat, every tie followed: slow and plain, to compare with."""
    raw = [(2 * size * delegates * 10_000 + headcount) // (2 * headcount) for size in sizes]
    smallest = threshold(IOWA, delegates, headcount)
    alive = [at for at, size in enumerate(sizes) if size >= smallest]
    start = tuple(max(1, (raw[at] + 5000) // 10_000) if at in alive else 0 for at in range(len(sizes)))
    states = {start} if alive else set()
    while any(sum(state) != delegates for state in states):
        states = {after for state in states for after in _next(state, raw, alive, sizes, delegates)}
    return states


def _next(
    state: tuple[int, ...], raw: list[int], alive: list[int], sizes: tuple[int, ...], delegates: int
) -> list[tuple[int, ...]]:
    ways = {at: (state[at] + 1) * 10_000 - raw[at] for at in alive}
    if sum(state) == delegates:
        return [state]
    if sum(state) < delegates:
        change, picked = 1, [at for at in ways if ways[at] == min(ways.values())]
    elif able := {at: ways[at] for at in ways if state[at] > 1}:
        change, picked = -1, [at for at in able if able[at] == max(able.values())]
    else:
        left = [at for at in alive if state[at]]
        change, picked = -1, [at for at in left if sizes[at] == min(sizes[one] for one in left)]
    return [tuple(count + (change if at == one else 0) for at, count in enumerate(state)) for one in picked]


@settings(deadline=None)
@given(st.integers(2, 15), st.integers(1, 60), st.lists(st.integers(0, 40), min_size=1, max_size=6))
def test_the_quick_way_and_the_way_seat_by_seat_agree(delegates: int, headcount: int, sizes: list[int]) -> None:
    """For any room, possible or not, all outcomes are those of following every tie one seat at a time."""
    assert legal(IOWA, delegates, headcount, *sizes) == _one_by_one(delegates, headcount, tuple(sizes))


@given(rooms(least=1))
def test_delegates_sum_to_the_allotment(room: tuple[int, Worksheet]) -> None:
    """Whenever there is a legal outcome, each one gives out exactly D."""
    delegates, sheet = room
    assert {sum(split.values()) for split in _outcomes(IOWA, delegates, sheet)} <= {delegates}


@given(rooms(rules=NEVADA))
def test_nevada_gives_the_allotment_or_one_to_each_viable_group(room: tuple[int, Worksheet]) -> None:
    """Nevada gives D, or as many as there are viable groups when they are more."""
    delegates, sheet = room
    sizes = _viable(NEVADA, delegates, sheet)
    sums = {sum(split.values()) for split in _outcomes(NEVADA, delegates, sheet)}
    assert sums <= {max(delegates, len(sizes))}


@given(rooms())
def test_no_viable_group_goes_without_when_there_are_enough(room: tuple[int, Worksheet]) -> None:
    """Each viable group has a delegate if D allows, and no other group ever has one."""
    delegates, sheet = room
    sizes = _viable(IOWA, delegates, sheet)
    for split in _outcomes(IOWA, delegates, sheet):
        assert set(split) <= set(sizes)
        assert len(sizes) > delegates or set(split) == set(sizes)


@given(rooms())
def test_a_larger_group_never_has_fewer(room: tuple[int, Worksheet]) -> None:
    """In every outcome, delegates follow the order of the groups' sizes."""
    delegates, sheet = room
    for split in _outcomes(IOWA, delegates, sheet):
        ranked = sorted(_viable(IOWA, delegates, sheet).items(), key=lambda pair: (pair[1], split.get(pair[0], 0)))
        counts = [split.get(group, 0) for group, _ in ranked]
        assert counts == sorted(counts)


@given(rooms(least=1), st.randoms())
def test_the_order_of_the_groups_does_not_matter(room: tuple[int, Worksheet], shuffler: object) -> None:
    """The same tallies in another order give the same outcomes in the same order."""
    delegates, sheet = room
    shuffled = list(sheet.final.items())
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
    again = outcomes(IOWA, delegates, sheet.headcount or 0, dict(shuffled))
    assert again == _outcomes(IOWA, delegates, sheet)


@given(rooms(least=1), st.dictionaries(st.sampled_from(KEYS), st.integers(0, 8)))
def test_a_split_is_allowed_exactly_when_it_is_listed(room: tuple[int, Worksheet], split: Mapping[str, int]) -> None:
    """Judging a split without the list of outcomes agrees with the list."""
    delegates, sheet = room
    division = divide(IOWA, delegates, sheet.headcount or 0, sheet.final)
    assume(division is not None)
    assert division is not None
    listed = [dict(one) for one in division.outcomes()]
    assert (len(listed), listed[0]) == (division.ways, division.example())
    assert division.allows(split) == ({key: count for key, count in split.items() if count} in listed)
    assert all(division.allows(one) for one in listed)


def _outcomes(rules: RuleSet, delegates: int, sheet: Worksheet) -> tuple[Mapping[str, int], ...]:
    return outcomes(rules, delegates, sheet.headcount or 0, sheet.final)


def _viable(rules: RuleSet, delegates: int, sheet: Worksheet) -> dict[str, int]:
    smallest = threshold(rules, delegates, sheet.headcount or 0)
    return {group: size for group, size in sheet.final.items() if size >= smallest}
