"""Checks across reports: what must be the same, what must not, and what sums must come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from hotline.caucus.across import area_findings, column_shift, duplicate_of, duplicates, record
from hotline.caucus.contest import Contest
from hotline.caucus.tabulate import tabulate
from hotline.caucus.worksheet import Worksheet
from tests.caucus.party_rules import contest_of


def sheet(first: Mapping[str, int], final: Mapping[str, int]) -> Worksheet:
    """A worksheet of which only the alignments matter."""
    return Worksheet(100, first, final, {})


def test_equal_alignments_are_one_record_however_written() -> None:
    """The order of the groups and zeros written out do not make two records of one."""
    plain = sheet({"Ash": 30, "Oak": 10}, {"Ash": 40})
    assert record(plain) == record(sheet({"Oak": 10, "Elm": 0, "Ash": 30}, {"Ash": 40, "Oak": 0}))
    assert record(plain) != record(sheet({"Ash": 40}, {"Ash": 30, "Oak": 10}))


@pytest.mark.parametrize(("people", "is_compared"), [((10, 9), False), ((10, 10), True)])
def test_few_people_may_agree_by_accident(people: tuple[int, int], is_compared: bool) -> None:
    """Below 20 people in both alignments together, equal numbers say nothing."""
    assert (record(sheet({"Ash": people[0]}, {"Ash": people[1]})) is not None) == is_compared


def test_a_duplicate_names_the_other(iowa: Contest) -> None:
    """Each member of a pair names the other; a precinct is no duplicate of itself."""
    twin = sheet({"Biden": 30}, {"Biden": 30})
    found = duplicates(iowa, {"00013": twin, "00021": twin, "00037": sheet({"Biden": 31}, {"Biden": 30})})
    assert set(found) == {"00013", "00021"}
    assert found["00013"].message == (
        "Adair, 1NW ADAIR: both alignments (30 and 30 people) equal those of Adair, 2NE STUART"
    )
    assert duplicate_of(iowa, iowa.precincts["00013"], twin, ["00013"]) is None


SHIFTS = [
    ("one group to the right", {"Ash": 40, "Elm": 30}, {"Birch": 41, "Elm": 30}, ("Ash",)),
    ("one group to the left", {"Birch": 40, "Elm": 30}, {"Ash": 40, "Elm": 31}, ("Birch",)),
    ("two neighbours to the right", {"Ash": 40, "Birch": 30}, {"Birch": 40, "Cedar": 30}, ("Ash",)),
    ("the whole row to the left", {"Birch": 40, "Cedar": 30, "Oak": 25}, {"Ash": 40, "Birch": 30, "Fir": 25},
     ("Cedar", "Oak")),
    ("nothing moved", {"Ash": 40, "Elm": 30}, {"Ash": 41, "Elm": 30}, ()),
    ("a small group joined its neighbour", {"Ash": 40, "Birch": 9, "Elm": 30}, {"Ash": 50, "Elm": 30}, ()),
    ("a viable group vanished elsewhere", {"Ash": 40, "Elm": 30}, {"Elm": 70}, ()),
    ("its neighbour has too few", {"Ash": 40, "Elm": 30}, {"Birch": 39, "Elm": 30}, ()),
    ("its neighbour was viable and stayed", {"Ash": 40, "Birch": 30}, {"Birch": 70}, ()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "first", "final", "expected"), SHIFTS, ids=[shift[0] for shift in SHIFTS])
def test_column_shift(name: str, first: Mapping[str, int], final: Mapping[str, int], expected: tuple[str, ...]) -> None:
    """A viable group cannot vanish: if its neighbour has its people, a column was confused."""
    contest, precinct = contest_of(8)
    finding = column_shift(contest, precinct, sheet(first, final))
    assert (finding.groups if finding else ()) == expected


def test_one_delegate_precincts_are_never_shifted() -> None:
    """Where one delegate is elected anybody may move."""
    contest, precinct = contest_of(1)
    assert column_shift(contest, precinct, sheet({"Ash": 60}, {"Birch": 60})) is None


def test_an_area_is_judged_only_when_complete(iowa: Contest, reported: Mapping[str, Worksheet]) -> None:
    """Scott is 2.89 SDEs over; with one of its precincts outstanding nothing can be said yet."""
    scott = [code for code in reported if iowa.precincts[code].county == "Scott"]
    waiting = {code: reported[code] for code in scott[1:]}
    assert area_findings(iowa, tabulate(iowa, waiting), waiting) == {}
    whole = {code: reported[code] for code in scott}
    found = area_findings(iowa, tabulate(iowa, whole), whole)
    assert list(found) == ["Scott"]
    sums = "Scott: sites sum to 126.8933 state delegate equivalents, allotted 124.0000; look at (BG)"
    assert found["Scott"].message.startswith(sums)


def test_a_closed_precinct_leaves_its_county_short(iowa: Contest, reported: Mapping[str, Worksheet]) -> None:
    """A county is short by what a closed precinct would have elected, and the closed precinct is named."""
    adair = [code for code in reported if iowa.precincts[code].county == "Adair"]
    sheets = {code: reported[code] for code in adair[1:]}
    found = area_findings(iowa, tabulate(iowa, sheets, {adair[0]}), sheets)
    assert (found["Adair"].code, found["Adair"].groups) == ("COUNTY_SDE_OFF_ALLOTMENT", (adair[0],))
    assert found["Adair"].message.endswith("look at 1NW ADAIR (closed)")


def test_nevada_may_go_over_by_what_its_rule_adds(iowa: Contest, reported: Mapping[str, Worksheet]) -> None:
    """A county is not off when a delegate more is the rule's own doing."""
    rules = replace(iowa.rules, more_viable_than_delegates="each-keeps-one")
    contest = replace(iowa, rules=rules)
    codes = [code for code in reported if iowa.precincts[code].county == "Audubon"]
    five = {"Biden": 21, "Buttigieg": 20, "Sanders": 20, "Warren": 20, "Yang": 19}
    small = replace(contest, precincts={
        code: replace(contest.precincts[code], delegates=4 if at else 999) for at, code in enumerate(codes)
    })  # fmt: skip
    sheets = {code: Worksheet(100, five, five, dict.fromkeys(five, 1)) for code in codes[1:]}
    assert area_findings(small, tabulate(small, sheets, set(codes)), sheets).keys() == {"Audubon"}
    named = area_findings(small, tabulate(small, sheets, set(codes)), sheets)["Audubon"].groups
    assert named == (codes[0],)
