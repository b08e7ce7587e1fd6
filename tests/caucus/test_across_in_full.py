"""Findings across reports, whole: code, section, sentence, numbers and groups; and the edges of a shifted column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from hotline.caucus.across import column_shift, duplicates, record
from hotline.caucus.contest import Contest
from hotline.caucus.sources import Difference, differences
from hotline.caucus.worksheet import Finding, Worksheet
from tests.caucus.party_rules import IOWA, contest_of


def sheet(headcount: int, first: Mapping[str, int], final: Mapping[str, int]) -> Worksheet:
    """A worksheet whose delegates do not matter."""
    return Worksheet(headcount, first, final, {})


def test_a_record_is_both_alignments_in_alphabetical_order() -> None:
    """It is kept beside reports and compared for years, so its form is fixed."""
    assert record(sheet(60, {"Oak": 10, "Ash": 30, "Elm": 0}, {"Ash": 40})) == "Ash=30,Oak=10|Ash=40"


def test_three_of_a_kind_name_both_others(iowa: Contest) -> None:
    """A duplicate holds a report for its final alignment, and tells how many others there are."""
    twin = sheet(40, {"Biden": 30, "Yang": 2}, {"Biden": 31})
    codes = ("00013", "00021", "00037")
    found = duplicates(iowa, dict.fromkeys(codes, twin))
    names = [f"{iowa.precincts[code].county}, {iowa.precincts[code].name}" for code in codes]
    assert found["00021"] == Finding(
        "DUPLICATE_RECORD",
        "hard",
        "final",
        f"{names[1]}: both alignments (32 and 31 people) equal those of {names[0]}; {names[2]}",
        {"first": 32, "final": 31, "others": 2},
    )


def test_a_shift_is_told_of_each_group_with_what_stands_beside_it() -> None:
    """Ash's 40 and Elm's 30 stand one to the right, where Birch had 5 and Fir nobody."""
    contest, precinct = contest_of(8)
    shifted = sheet(100, {"Ash": 40, "Birch": 5, "Elm": 30, "Oak": 25}, {"Birch": 45, "Fir": 30, "Oak": 25})
    assert column_shift(contest, precinct, shifted) == Finding(
        "COLUMN_SHIFT",
        "hard",
        "final",
        "Polk, First Ward: Ash 40 then 0, Birch beside it 5 then 45, Elm 30 then 0, Fir beside it 0 then 30: "
        "an alignment looks moved one preference over",
        {"groups": 2},
        ("Ash", "Elm"),
    )


def test_a_group_the_other_source_does_not_name_has_nobody_there() -> None:
    """Oak's 40 are told as 40 and 0."""
    contest, _ = contest_of(5)
    assert differences(contest, sheet(40, {"Oak": 40}, {"Oak": 40}), sheet(40, {}, {"Oak": 40})) == (
        Difference("first", "Oak", 40, 0),
    )


@pytest.mark.parametrize(
    ("delegates", "headcount", "first", "final", "expected"),
    [
        (2, 100, {"Ash": 40, "Elm": 60}, {"Birch": 40, "Elm": 60}, ("Ash",)),
        (4, 4, {"Ash": 1, "Elm": 3}, {"Birch": 1, "Elm": 3}, ("Ash",)),
        (4, 4, {"Ash": 1, "Elm": 3}, {"Elm": 4}, ()),
        (8, 100, {"Ash": 40, "Elm": 60}, {"Elm": 60, "Uncommitted": 40}, ()),
        (8, 100, {"Uncommitted": 40, "Elm": 60}, {"Ash": 40, "Elm": 60}, ()),
        (None, 100, {"Ash": 40, "Elm": 60}, {"Birch": 40, "Elm": 60}, ("Ash",)),
    ],
)
def test_where_a_column_may_have_shifted(
    delegates: int | None,
    headcount: int,
    first: Mapping[str, int],
    final: Mapping[str, int],
    expected: tuple[str, ...],
) -> None:
    """Wherever two are elected, be it by one person's group or at a satellite; never round the worksheet's edge."""
    contest, precinct = contest_of(delegates or 1, IOWA)
    finding = column_shift(contest, replace(precinct, delegates=delegates), sheet(headcount, first, final))
    assert (finding.groups if finding else ()) == expected
