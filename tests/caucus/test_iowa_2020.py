"""The caucuses of 2020 as first published whole: every total and every count of broken rules, with its definition.

Where a count depends on the headcount nobody took, A is the known headcount, else the larger alignment, unless the test
says otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from hotline.caucus.across import area_findings, column_shift, duplicates
from hotline.caucus.checks import report_findings
from hotline.caucus.contest import Contest
from hotline.caucus.equivalents import shown
from hotline.caucus.tabulate import tabulate
from hotline.caucus.viability import assumed_headcount
from hotline.caucus.worksheet import Finding, Worksheet

Sheets = Mapping[str, Worksheet]
HEADLINE = {
    "Bennet": (164, 4, "0.0"), "Biden": (26384, 23691, "341.1716"), "Bloomberg": (217, 20, "0.2096"),
    "Buttigieg": (37557, 43195, "564.0124"), "Delaney": (10, 0, "0.0"), "Gabbard": (334, 17, "0.1143"),
    "Klobuchar": (22469, 21181, "264.2038"), "Patrick": (50, 0, "0.0"), "Sanders": (43671, 45826, "562.4973"),
    "Steyer": (3083, 413, "6.7389"), "Warren": (32533, 34771, "387.0687"), "Yang": (8821, 1780, "22.2226"),
    "Other": (159, 205, "0.6931"), "Uncommitted": (984, 1418, "3.9571"),
}  # fmt: skip
"""First alignment, final alignment and SDEs as in the press that night, summed there from figures already rounded."""


@pytest.fixture(scope="module")
def findings(iowa: Contest, reported: Sheets) -> Mapping[str, tuple[Finding, ...]]:
    """Findings of every report, with A the known headcount, else the larger alignment."""
    return {
        code: report_findings(iowa, iowa.precincts[code], replace(sheet, headcount=assumed_headcount(sheet)))
        for code, sheet in reported.items()
    }


def sites(iowa: Contest, codes: object) -> set[str]:
    """Names of sites by code."""
    assert isinstance(codes, list | dict | set)
    return {iowa.precincts[code].name for code in codes}


def test_totals_are_the_headline(iowa: Contest, reported: Sheets) -> None:
    """Both alignments exactly; SDEs within the 0.003 of the party's own rounding, and at 3 decimals for the leaders."""
    totals = tabulate(iowa, reported).statewide
    assert {key: (totals.first[key], totals.final[key]) for key in iowa.keys} == {
        key: row[:2] for key, row in HEADLINE.items()
    }
    assert [key for key in iowa.keys if abs(totals.sde[key] - Fraction(HEADLINE[key][2])) > Fraction(3, 1000)] == []
    assert [shown(totals.sde[key], 3) for key in ("Buttigieg", "Sanders")] == ["564.012", "562.497"]
    assert [shown(totals.sde[key]) for key in ("Buttigieg", "Sanders")] == ["564.0117", "562.4970"]


def test_counts_of_broken_rules(findings: Mapping[str, tuple[Finding, ...]]) -> None:
    """One per report and code. Order breaks: 6 where D > 1, 16 single delegates that went to a smaller group.

    GROUP_BELOW_THRESHOLD_KEPT leaves Uncommitted aside; SINGLE_DELEGATE_NOT_PLURALITY counts empty winners too.
    """
    counts = Counter(finding.code for found in findings.values() for finding in found)
    assert counts == {
        "FINAL_EXCEEDS_FIRST": 84,
        "VIABLE_GROUP_SHRANK": 66,
        "DELEGATES_OVER_ALLOTMENT": 14,
        "DELEGATES_UNDER_ALLOTMENT": 14,
        "EMPTY_GROUP_GIVEN_DELEGATES": 8,
        "NONVIABLE_GIVEN_DELEGATES": 26,
        "VIABLE_WITHOUT_DELEGATE": 7,
        "MORE_SUPPORT_FEWER_DELEGATES": 6,
        "DELEGATES_NOT_BY_RULE": 96,
        "SINGLE_DELEGATE_NOT_PLURALITY": 16,
        "GROUP_BELOW_THRESHOLD_KEPT": 214,
        "ROUND_MISMATCH": 611,
        "TIE_BY_CHANCE": 147,
    }


def test_reports_with_a_hard_finding(
    iowa: Contest, reported: Sheets, findings: Mapping[str, tuple[Finding, ...]]
) -> None:
    """237 reports break some rule; 239 with those that repeat another precinct's."""
    broken = {code for code, found in findings.items() if any(finding.severity == "hard" for finding in found)}
    assert (len(broken), len(broken | set(duplicates(iowa, reported)))) == (237, 239)


def test_reports_with_a_hard_finding_that_no_headcount_explains(iowa: Contest, reported: Sheets) -> None:
    """184, where a headcount nobody took may be anything from the larger alignment to a tenth and three more."""
    broken = [
        code
        for code, sheet in reported.items()
        if any(finding.severity == "hard" for finding in report_findings(iowa, iowa.precincts[code], sheet))
    ]
    assert len(broken) == 184


def test_duplicates_and_shifts_by_name(iowa: Contest, reported: Sheets) -> None:
    """Three pairs of precincts share both alignments; two have a column moved over, and no other is taken for one."""
    assert sites(iowa, duplicates(iowa, reported)) == {
        "(D52) City of Davenport", "(B52) City of Bettendorf",
        "(BG) Blue Grass Township", "(D31) City of Davenport",
        "Sioux City 20", "Sioux City 05",
    }  # fmt: skip
    shifted = [code for code, sheet in reported.items() if column_shift(iowa, iowa.precincts[code], sheet)]
    assert sites(iowa, shifted) == {"INDIANOLA 2", "Council Bluff 12"}


def test_areas_off_their_allotment(iowa: Contest, reported: Sheets) -> None:
    """17 of 104 counties and pools are off their SDEs, each by more than 0.02, with the four silent sites closed."""
    silent = set(iowa.precincts) - set(reported)
    tabulation = tabulate(iowa, reported, silent)
    found = area_findings(iowa, tabulation, reported)
    assert (len(silent), len(tabulation.areas), len(found)) == (4, 104, 17)
    assert {name for name in found if tabulation.areas[name].is_pool} == {"CD3", "Out of State"}
    assert "Sioux City 05 (9 of 8), Sioux City 20 (9 of 5)" in found["Woodbury"].message
    assert sites(iowa, list(found["Warren"].groups)) == {"PALMYRA TWP"}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Sioux City 05", "DELEGATES_OVER_ALLOTMENT"),
        ("Ocheyedan Precinct 0500", "DELEGATES_NOT_BY_RULE"),
        ("DES MOINES-14", "MORE_SUPPORT_FEWER_DELEGATES"),
        ("DES MOINES-80", "DELEGATES_NOT_BY_RULE"),
        ("Washington-Roselle", "DELEGATES_NOT_BY_RULE"),
        ("Bellair/Lincoln", "DELEGATES_NOT_BY_RULE"),
    ],
)
def test_precincts_in_the_news(
    iowa: Contest, findings: Mapping[str, tuple[Finding, ...]], name: str, code: str
) -> None:
    """What was written about these precincts in the days after is what the checks say at once."""
    found = [f.code for key, all_of in findings.items() if iowa.precincts[key].name == name for f in all_of]
    assert code in found
