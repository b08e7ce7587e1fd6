"""Who is viable, and how many delegates a site elects: every number of the table, and its edges."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotline.caucus.contest import Contest
from hotline.caucus.viability import allotment, assumed_headcount, satellite_delegates, threshold
from hotline.caucus.worksheet import Worksheet
from tests.caucus.party_rules import IOWA


@pytest.mark.parametrize(
    ("delegates", "headcount", "expected"),
    [
        (1, 0, 1), (1, 1, 1), (1, 2, 2), (1, 9, 5), (1, 10, 6),
        (2, 8, 2), (2, 9, 3), (2, 11, 3), (2, 12, 3), (2, 13, 4),
        (3, 12, 2), (3, 13, 3), (3, 18, 3), (3, 100, 17),
        (4, 13, 2), (4, 20, 3), (4, 21, 4), (4, 667, 101), (11, 225, 34), (40, 100, 15), (7, 59, 9),
        (2, 0, 1), (4, 0, 1), (0, 0, 1),
    ],
)  # fmt: skip
def test_threshold_table(delegates: int, headcount: int, expected: int) -> None:
    """Over half for one delegate, then a quarter, a sixth and 15 %, rounded up; an empty group is never viable."""
    assert threshold(IOWA, delegates, headcount) == expected


@given(st.integers(4, 400), st.integers(1, 5000))
def test_fifteen_percent_never_slips_by_one(delegates: int, headcount: int) -> None:
    """ceil(15 A / 100) exactly; dividing by 6.67 instead is wrong at 17 headcounts below 1,000, first at 667."""
    assert threshold(IOWA, delegates, headcount) == (15 * headcount + 99) // 100


def test_dividing_by_6_67_would_be_wrong_at_17_headcounts() -> None:
    """The slip a campaign's own app made in 2020: 667 is the first headcount where it shows."""
    wrong = [a for a in range(1, 1000) if threshold(IOWA, 5, a) != ceil(a / 6.67)]
    assert (wrong[0], len(wrong)) == (667, 17)


@pytest.mark.parametrize(
    ("headcount", "expected"),
    [(0, 0), (1, 4), (20, 4), (21, 5), (40, 5), (41, 6), (60, 6), (61, 7), (80, 7), (81, 8), (100, 8), (101, 9)],
)
def test_satellite_schedule(headcount: int, expected: int) -> None:
    """1-20 elect 4, each twenty more one more, over 100 nine; a site where nobody came elects nobody."""
    assert satellite_delegates(IOWA, headcount) == expected


def test_a_precinct_elects_what_the_roster_says_and_a_satellite_by_its_headcount(iowa: Contest) -> None:
    """D is fixed for a precinct and follows the headcount at a satellite."""
    adair, library = iowa.precincts["00013"], iowa.precincts["16798"]
    assert (allotment(iowa, adair, 500), allotment(iowa, library, 24), allotment(iowa, library, 112)) == (8, 5, 9)


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (Worksheet(9, {"Ash": 5}, {"Ash": 20}, {}), 9),
        (Worksheet(0, {"Ash": 5}, {"Ash": 5}, {}), 0),
        (Worksheet(None, {"Ash": 5, "Oak": 2}, {"Ash": 6}, {}), 7),
        (Worksheet(None, {"Ash": 5}, {"Ash": 4, "Oak": 4}, {}), 8),
    ],
)
def test_a_headcount_nobody_took_is_the_larger_alignment(sheet: Worksheet, expected: int) -> None:
    """The headcount as taken, 0 too; otherwise the fewest who can have been there."""
    assert assumed_headcount(sheet) == expected


def test_any_share_may_be_exceeded_for_one_delegate() -> None:
    """A rule set that asks for more than two thirds of 9 asks for 7, of 10 too."""
    rules = replace(IOWA, thresholds={1: Fraction(2, 3), 2: Fraction(1, 4)})
    assert [threshold(rules, 1, headcount) for headcount in (9, 10, 11)] == [7, 7, 8]
