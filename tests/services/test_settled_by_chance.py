"""A result that chance settled is shown as such wherever it is shown, with the groups the chair said it went to."""

from __future__ import annotations

from dataclasses import replace

from hotline.services import publication
from tests.services.nights import night_of, shipped
from tests.services.reports import worksheet

NOT_OF_THE_TIE = {
    "DELEGATES_NOT_BY_RULE",
    "SINGLE_DELEGATE_NOT_PLURALITY",
    "DELEGATES_OVER_ALLOTMENT",
    "DELEGATES_UNDER_ALLOTMENT",
}
"""What is found at a tie whose delegates are none of its outcomes; the last three where one delegate is elected."""


def test_a_worksheet_with_one_outcome_of_a_tie_is_settled_by_chance() -> None:
    """White Pine 4 and 7 drew cards; the others there did not. Held or not, in totals or not."""
    contest, sheets = shipped("nevada-2020")
    at = night_of(contest, sheets)
    for include_held in (False, True):
        counties = publication.results_of(contest, at, include_held)["counties"]
        tied = {name: county["chance"] for name, county in counties.items() if county["chance"]}
        assert tied == {"White Pine": ["20829", "20855"]}
    sites = publication.sites_of(contest, at, "White Pine")
    assert [site["name"] for site in sites if site["by_chance"]] == ["4", "7"]


def test_the_findings_say_to_whom_it_went() -> None:
    contest, sheets = shipped("nevada-2020")
    told = {
        row["precinct"]: row["message"]
        for found in (
            publication.findings_of(contest, night_of(contest, sheets)),
            publication.findings_of_sheets(contest, sheets),
            *(site["findings"] for site in publication.sites_of(contest, night_of(contest, sheets), "White Pine")),
        )
        for row in found
        if row["code"] == "TIE_BY_CHANCE"
    }
    assert told == {
        "20829": "White Pine, 4: 3 outcomes are legal: high card among Buttigieg, Klobuchar, Sanders for 1; "
        "settled by chance: Buttigieg",
        "20855": "White Pine, 7: 2 outcomes are legal: high card among Sanders, Warren for 1; "
        "settled by chance: Warren",
    }


def test_a_split_that_is_no_outcome_of_the_tie_was_not_settled_by_it() -> None:
    """The tie stays a finding beside the broken rule, and nobody is said to have won it."""
    contest, sheets = shipped("nevada-2020")
    wrong = replace(sheets["20829"], delegates={"Biden": sum(sheets["20829"].delegates.values())})
    at = night_of(contest, {"20829": wrong})
    assert publication.results_of(contest, at)["counties"]["White Pine"]["chance"] == []
    found = {row["code"]: row["message"] for row in publication.findings_of(contest, at)}
    assert found["TIE_BY_CHANCE"].endswith("among Buttigieg, Klobuchar, Sanders for 1")
    assert "DELEGATES_NOT_BY_RULE" in found


def test_the_chairs_word_is_enough() -> None:
    """A version whose origin is chance is shown as such, whatever the checks make of its numbers."""
    contest, _ = shipped("iowa-2020")
    reports = {"00013": worksheet(), "00021": worksheet("00021")}
    county = publication.results_of(contest, night_of(contest, reports, said_chance=["00013"]))["counties"]["Adair"]
    assert county["chance"] == ["00013"]


def test_every_tie_of_iowa_in_2020_is_shown() -> None:
    """147 had more than one legal outcome; in 124 the party published one of them."""
    contest, sheets = shipped("iowa-2020")
    at = night_of(contest, sheets)
    counties = publication.results_of(contest, at)["counties"].values()
    found = {code: {finding.code for finding in outcome.findings} for code, outcome in at.outcomes.items()}
    ties = {code for code, codes in found.items() if "TIE_BY_CHANCE" in codes}
    settled = {code for code in ties if not found[code] & NOT_OF_THE_TIE}
    assert (len(ties), len(settled)) == (147, 124)
    assert {code for county in counties for code in county["chance"]} == settled
