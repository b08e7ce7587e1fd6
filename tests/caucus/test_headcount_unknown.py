"""Where nobody took a headcount: what rests on it, from which headcount it is judged, and what is said of that."""

from __future__ import annotations

from dataclasses import replace

from hotline.caucus.checks import report_findings
from hotline.caucus.worksheet import Finding, Worksheet
from tests.caucus.party_rules import contest_of


def found(delegates: int, sheet: Worksheet) -> dict[str, Finding]:
    """The findings by code."""
    contest, precinct = contest_of(delegates)
    return {finding.code: finding for finding in report_findings(contest, precinct, sheet)}


def test_what_rests_on_no_headcount_is_said_without_one() -> None:
    """More or fewer people in the final alignment than in the first is so whatever the headcount was."""
    grown = Worksheet(None, {"Ash": 50, "Oak": 50}, {"Ash": 51, "Oak": 50}, {"Ash": 3, "Oak": 3})
    for sheet, code in ((grown, "FINAL_EXCEEDS_FIRST"), (replace(grown, final={"Ash": 50}), "ROUND_MISMATCH")):
        unknown, known = found(6, sheet)[code], found(6, replace(sheet, headcount=101))[code]
        assert unknown == known
        assert "assumed_headcount" not in unknown.numbers


def test_what_rests_on_the_first_alignment_is_judged_from_its_sum() -> None:
    """15 of 100 are viable at first; that 108 stood in the final says nothing about who was there before."""
    first = {"Ash": 15, "Birch": 45, "Oak": 40}
    shrank = found(8, Worksheet(None, first, {"Ash": 14, "Birch": 54, "Oak": 40}, {"Birch": 4, "Oak": 4}))[
        "VIABLE_GROUP_SHRANK"
    ]
    assert (shrank.severity, shrank.numbers["assumed_headcount"], shrank.groups) == ("notice", 100, ("Ash",))
    assert shrank.message.endswith("may not move (assumed headcount 100)")


def test_what_rests_on_both_alignments_is_judged_from_the_larger() -> None:
    """16 are viable of 100, the first alignment, but not of 108, the final: no viable group is without a delegate."""
    first = {"Ash": 16, "Birch": 44, "Oak": 40}
    sheet = Worksheet(None, first, {"Ash": 16, "Birch": 52, "Oak": 40}, {"Birch": 5, "Oak": 3})
    assert "VIABLE_WITHOUT_DELEGATE" not in found(8, sheet)
    assert found(8, sheet)["GROUP_BELOW_THRESHOLD_KEPT"].numbers["assumed_headcount"] == 108


def test_the_range_of_headcounts_ends_at_a_tenth_and_three_more() -> None:
    """100 people may have been 113 and not 114: 17 are viable of 113, so of 100 to 113 always, 16 only of some."""
    sheet = Worksheet(None, {"Ash": 17, "Oak": 83}, {"Ash": 17, "Oak": 83}, {"Oak": 6})
    hard = found(6, sheet)["VIABLE_WITHOUT_DELEGATE"]
    assert (hard.severity, hard.numbers["assumed_headcount"], hard.groups) == ("hard", 100, ("Ash",))
    fewer = Worksheet(None, {"Ash": 16, "Oak": 84}, {"Ash": 16, "Oak": 84}, {"Oak": 6})
    assert found(6, fewer)["VIABLE_WITHOUT_DELEGATE"].severity == "notice"


def test_the_range_of_headcounts_is_rounded_up() -> None:
    """16 people may have been 20.6, so 21, of whom 3 are not viable; they are of 20."""
    sheet = Worksheet(None, {"Ash": 3, "Oak": 13}, {"Ash": 3, "Oak": 13}, {"Oak": 4})
    assert found(4, sheet)["VIABLE_WITHOUT_DELEGATE"].severity == "notice"
    assert found(4, replace(sheet, headcount=20))["VIABLE_WITHOUT_DELEGATE"].severity == "hard"


def test_the_range_of_headcounts_follows_the_larger_alignment() -> None:
    """80, then 100: up to 113 may have been there, of whom 16 are not viable, though of 100 they are."""
    sheet = Worksheet(None, {"Ash": 16, "Oak": 64}, {"Ash": 16, "Oak": 84}, {"Oak": 6})
    assert found(6, sheet)["VIABLE_WITHOUT_DELEGATE"].severity == "notice"
