"""A headcount far from what came before is a notice, where the roster says what came before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotline.caucus.folder import read_contest
from hotline.caucus.turnout import headcount_outlier
from hotline.caucus.worksheet import Worksheet
from tests.caucus.party_rules import contest_of
from tests.caucus.test_contest_folder import Folder, problems

_, PRECINCT = contest_of(5)


def sheet(headcount: int | None, aligned: int = 0) -> Worksheet:
    """A worksheet of which only the people matter."""
    return Worksheet(headcount, {"Ash": aligned}, {"Ash": aligned}, {})


@pytest.mark.parametrize(
    ("past", "headcount", "is_far"),
    [
        (100, 300, False), (100, 301, True), (300, 100, False), (301, 100, True), (100, 100, False),
        (104, 1040, True), (1040, 104, True), (50, 0, True), (1, 20, False), (1, 21, True), (19, 0, False),
        (20, 0, True), (None, 1040, False),
    ],
)  # fmt: skip
def test_far_is_three_times_and_twenty_people(past: int | None, headcount: int, is_far: bool) -> None:
    """Three times exactly is near still, and so is any number fewer than twenty people away."""
    found = headcount_outlier(replace(PRECINCT, past_attendance=past), sheet(headcount))
    assert (found is not None) == is_far


@pytest.mark.parametrize(
    ("worksheet", "text", "numbers"),
    [
        (sheet(1040), "headcount 1040 is more than three times the past attendance of 104",
         {"headcount": 1040, "past_attendance": 104}),
        (sheet(10), "headcount 10 is less than a third of the past attendance of 104",
         {"headcount": 10, "past_attendance": 104}),
        (sheet(None, 12), "headcount 12 is less than a third of the past attendance of 104 (assumed headcount 12)",
         {"headcount": 12, "past_attendance": 104, "assumed_headcount": 12}),
    ],
)  # fmt: skip
def test_the_notice_tells_both_numbers(worksheet: Worksheet, text: str, numbers: dict[str, int]) -> None:
    """It holds nothing, and says when nobody took the headcount."""
    found = headcount_outlier(replace(PRECINCT, past_attendance=104), worksheet)
    assert found is not None
    assert (found.code, found.severity, found.section) == ("HEADCOUNT_OUTLIER", "notice", "first")
    assert (found.message, found.numbers) == (f"Polk, First Ward: {text}", numbers)


def with_past(small: Folder, *cells: str) -> Folder:
    """The folder with a column past_attendance in precincts.csv."""
    rows = small["precincts.csv"].decode().splitlines()
    text = "\n".join(",".join(pair) for pair in zip(rows, ("past_attendance", *cells), strict=True)) + "\n"
    return {**small, "precincts.csv": text.encode()}


def test_the_column_may_be_absent_or_partly_filled(small: Folder) -> None:
    """What nobody knows stays empty."""
    assert {site.past_attendance for site in read_contest(small).precincts.values()} == {None}
    filled = read_contest(with_past(small, "104", "", " 61 ")).precincts
    assert {code: site.past_attendance for code, site in filled.items()} == {
        "00013": 104, "00021": None, "00037": 61, "00045": None,
    }  # fmt: skip


def test_a_satellite_may_have_one_too(small: Folder) -> None:
    """satellites.csv takes the same column."""
    small["satellites.csv"] = b"code,pool,name,past_attendance\n00045,CD1,Library,17\n"
    assert read_contest(small).precincts["00045"].past_attendance == 17


def test_a_cell_that_is_no_number_of_people_is_told(small: Folder) -> None:
    """By file, line and column, with what to write."""
    assert problems(with_past(small, "about 100", "0", "12.5")) == [
        "precincts.csv line 2, column past_attendance: 'about 100' is not a whole number; write digits only, like 12",
        "precincts.csv line 3, column past_attendance: 0 is too small; it must be 1 or more",
        "precincts.csv line 4, column past_attendance: '12.5' is not a whole number; write digits only, like 12",
    ]
