"""Nevada 2020: the party's roster, and its published worksheets under its own rules, early ballots counted in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from hotline.caucus.across import area_findings, column_shift, duplicates
from hotline.caucus.apportion import outcomes
from hotline.caucus.checks import report_findings
from hotline.caucus.contest import Contest, Units
from hotline.caucus.early import folded_sheets
from hotline.caucus.equivalents import of_precinct, per_delegate
from hotline.caucus.explain import explain
from hotline.caucus.folder import read_contest
from hotline.caucus.tabulate import tabulate
from hotline.caucus.viability import threshold
from hotline.caucus.worksheet import Finding, Worksheet
from hotline.caucus.worksheets import read_worksheets
from tests.caucus.conftest import CONTESTS

Sheets = Mapping[str, Worksheet]

HARD = {
    ("Carson City", "103"): {"FINAL_EXCEEDS_FIRST"},
    ("Carson City", "107"): {"DELEGATES_OVER_ALLOTMENT", "DELEGATES_NOT_BY_RULE"},
    ("Carson City", "405"): {"FINAL_EXCEEDS_FIRST"},
    ("Carson City", "407"): {"MORE_SUPPORT_FEWER_DELEGATES", "DELEGATES_NOT_BY_RULE"},
    ("Churchill", "2"): {"FINAL_EXCEEDS_FIRST"},
    ("Churchill", "5"): {"FIRST_EXCEEDS_HEADCOUNT", "VIABLE_GROUP_SHRANK"},
    ("Churchill", "10"): {"FINAL_EXCEEDS_FIRST"},
    ("Clark", "1074"): {"FINAL_EXCEEDS_FIRST"},
    ("White Pine", "3"): {"VIABLE_GROUP_SHRANK", "NONVIABLE_GIVEN_DELEGATES", "DELEGATES_NOT_BY_RULE"},
}
"""Every precinct among the 63 whose published numbers break a rule, and which."""


def code_of(contest: Contest, county: str, name: str) -> str:
    """The code of a precinct."""
    return next(p.code for p in contest.precincts.values() if (p.county, p.name) == (county, name))


def findings(contest: Contest, sheets: Sheets, county: str, name: str) -> dict[str, Finding]:
    """What the checks find in one precinct's published worksheet, by code."""
    code = code_of(contest, county, name)
    return {finding.code: finding for finding in report_findings(contest, contest.precincts[code], sheets[code])}


def test_nevada_2020_as_shipped(nevada: Contest) -> None:
    """2,088 precincts in 17 counties elect 14,675 county convention delegates, which turn into nothing; 12 groups."""
    assert (len(nevada.precincts), len(nevada.counties), len(nevada.pools), len(nevada.keys)) == (2088, 17, 0, 12)
    elected = Counter({name: county.delegates for name, county in nevada.counties.items()})
    assert (elected.total(), elected["Clark"], elected["Washoe"]) == (14675, 10861, 2343)
    assert sum(precinct.delegates or 0 for precinct in nevada.precincts.values()) == 14675
    assert (nevada.units, nevada.has_equivalents) == (Units("county convention delegates", None), False)
    assert (nevada.keys[0], nevada.keys[-1], nevada.rules.chance) == ("Bennet", "Uncommitted", "high card")
    assert nevada.rules.more_viable_than_delegates == "each-keeps-one"
    assert nevada.rules.early is not None


def test_a_voice_can_read_every_spoken_name(nevada: Contest) -> None:
    """Precincts are numbers: four figures and more are spoken one by one."""
    spoken = {precinct.name: precinct.spoken for precinct in nevada.precincts.values()}
    assert (spoken["8"], spoken["101"], spoken["1038"]) == ("Precinct 8", "Precinct 101", "Precinct 1 0 3 8")
    assert (spoken["954900"], "9549" in spoken) == ("Precinct 9 5 4 9 0 0", False)


def test_what_the_party_published_breaks_its_rules_in_nine_precincts_of_63(
    nevada: Contest, nevada_reported: Sheets
) -> None:
    """54 worksheets obey every rule, early ballots counted in; the others are named with what they break."""
    broken: dict[tuple[str, str], set[str]] = {}
    for code, sheet in nevada_reported.items():
        precinct = nevada.precincts[code]
        hard = {f.code for f in report_findings(nevada, precinct, sheet) if f.severity == "hard"}
        if hard:
            broken[precinct.county, precinct.name] = hard
    assert (len(nevada_reported), broken) == (63, HARD)
    assert duplicates(nevada, nevada_reported) == {}
    assert not any(column_shift(nevada, nevada.precincts[code], sheet) for code, sheet in nevada_reported.items())


def test_each_viable_group_keeps_one(nevada: Contest, nevada_reported: Sheets) -> None:
    """Churchill 14 elects three, four groups are viable: four delegates are the rule, five would be one too many."""
    code = code_of(nevada, "Churchill", "14")
    sheet, precinct = nevada_reported[code], nevada.precincts[code]
    assert (precinct.delegates, sum(sheet.delegates.values())) == (3, 4)
    assert set(findings(nevada, nevada_reported, "Churchill", "14")) == {"ROUND_MISMATCH"}
    beyond = report_findings(nevada, precinct, replace(sheet, delegates={**sheet.delegates, "Klobuchar": 2}))
    over = next(finding for finding in beyond if finding.code == "DELEGATES_OVER_ALLOTMENT")
    assert over.message == (
        "Churchill, 14: 5 delegates reported, 4 elected here (1 added so that each viable group keeps one): 1 too many"
    )
    short = report_findings(nevada, precinct, replace(sheet, delegates={"Klobuchar": 2, "Warren": 1}))
    assert {finding.code for finding in short if finding.severity == "hard"} == {"DELEGATES_NOT_BY_RULE"}


def test_too_many_delegates_where_the_rule_adds_none(nevada: Contest, nevada_reported: Sheets) -> None:
    """Carson City 107 elects seven for four viable groups and reported eight."""
    over = findings(nevada, nevada_reported, "Carson City", "107")["DELEGATES_OVER_ALLOTMENT"]
    assert over.numbers == {"delegates": 8, "allotment": 7}


def test_a_high_card_decides(nevada: Contest, nevada_reported: Sheets) -> None:
    """White Pine 4 and 7 had exact ties: what the chair said is one of the legal outcomes."""
    tie = findings(nevada, nevada_reported, "White Pine", "4")["TIE_BY_CHANCE"]
    assert tie.message == ("White Pine, 4: 3 outcomes are legal: high card among Buttigieg, Klobuchar, Sanders for 1")
    assert "TIE_BY_CHANCE" in findings(nevada, nevada_reported, "White Pine", "7")


def test_the_one_delegate_of_clark_1067(nevada: Contest, nevada_reported: Sheets) -> None:
    """3 of 6 are not over half, and groups of 2 and 1 stayed: one delegate is elected by the caucus as a whole."""
    sheet = nevada_reported[code_of(nevada, "Clark", "1067")]
    assert threshold(nevada.rules, 1, 6) == 4
    assert outcomes(nevada.rules, 1, 6, sheet.final) == ({"Sanders": 1},)
    assert findings(nevada, nevada_reported, "Clark", "1067") == {}


MEMO = [
    (10, 75, {"Biden": 23, "Sanders": 27}, ({"Biden": 5, "Sanders": 5},)),
    (12, 137, {"Sanders": 81, "Steyer": 39}, ({"Sanders": 8, "Steyer": 4},)),
    (3, 30, {"Klobuchar": 9, "Sanders": 6, "Steyer": 6, "Warren": 8},
     ({"Klobuchar": 1, "Sanders": 1, "Steyer": 1, "Warren": 1},)),
    (2, 8, {"Biden": 4, "Sanders": 4}, ({"Biden": 1, "Sanders": 1},)),
    (4, 10, {"Biden": 5, "Sanders": 5}, ({"Biden": 2, "Sanders": 2},)),
    (5, 10, {"Biden": 5, "Sanders": 5}, ({"Biden": 3, "Sanders": 2}, {"Biden": 2, "Sanders": 3})),
]  # fmt: skip


@pytest.mark.parametrize(("delegates", "headcount", "final", "legal"), MEMO)
def test_worked_examples_are_explained_to_their_end(
    nevada: Contest, delegates: int, headcount: int, final: Mapping[str, int], legal: tuple[Mapping[str, int], ...]
) -> None:
    """The memo's own example, published precincts and ties: the working ends in exactly the legal outcomes."""
    working = explain(nevada, delegates, headcount, final)
    assert sorted(map(sorted, (split.items() for split in working.outcomes))) == sorted(
        map(sorted, (split.items() for split in legal))
    )
    assert working.threshold == threshold(nevada.rules, delegates, headcount)


def test_the_working_says_what_the_rule_added(nevada: Contest) -> None:
    """One more delegate than Churchill 14 elects, told as the rule's and not as a slip."""
    working = explain(nevada, 3, 30, {"Klobuchar": 9, "Sanders": 6, "Steyer": 6, "Warren": 8})
    assert working.steps[-2:] == (
        "Sum 4: 1 more than the 3 delegates.",
        "Delegates: Klobuchar 1, Sanders 1, Steyer 1, Warren 1, 1 added so that each viable group keeps one.",
    )
    assert explain(nevada, 5, 10, {"Biden": 5, "Sanders": 5}).steps[-2] == (
        "Biden and Sanders are equally far from their next delegate (1.5000); -1 for 1 of them, by high card."
    )


def test_totals_without_equivalents(nevada: Contest, nevada_reported: Sheets) -> None:
    """White Pine's delegates sum as published; its SDEs, and everybody's, are nothing at all."""
    tabulation = tabulate(nevada, nevada_reported)
    white_pine = tabulation.areas["White Pine"]
    assert white_pine.is_complete
    won = {key: count for key, count in white_pine.totals.delegates.items() if count}
    assert won == {"Biden": 5, "Buttigieg": 29, "Klobuchar": 5, "Sanders": 30, "Steyer": 3, "Warren": 4}
    assert set(tabulation.statewide.sde.values()) == {0}
    assert (tabulation.provisional, per_delegate(nevada.counties["Clark"])) == ((), 0)
    code = code_of(nevada, "White Pine", "1")
    assert set(of_precinct(nevada, nevada.precincts[code], nevada_reported[code]).values()) == {0}


def test_a_complete_county_that_does_not_award_what_it_elects(nevada: Contest, nevada_reported: Sheets) -> None:
    """Carson City 107 gave eight of seven; that nobody came to two precincts, and what the rule adds, is no slip."""
    off = area_findings(nevada, tabulate(nevada, nevada_reported), nevada_reported)
    assert set(off) == {"Carson City"}
    finding = off["Carson City"]
    assert (finding.code, finding.severity) == ("COUNTY_DELEGATES_OFF_ALLOTMENT", "hard")
    assert finding.message == (
        "Carson City: sites award 216 county convention delegates, elected 215; look at 107 (8 of 7)"
    )
    assert finding.numbers == {"delegates": 216, "elected": 215, "suspects": 1}
    assert finding.groups == (code_of(nevada, "Carson City", "107"),)


def test_closed_precincts_elect_nobody_and_are_no_suspects(nevada: Contest, nevada_reported: Sheets) -> None:
    """White Pine stays even when one of its precincts is closed instead of reported, and is judged when it is off."""
    code, other = code_of(nevada, "White Pine", "9"), code_of(nevada, "White Pine", "10")
    rest = {site: sheet for site, sheet in nevada_reported.items() if site != code}
    assert "White Pine" not in area_findings(nevada, tabulate(nevada, rest, {code}), rest)
    assert "White Pine" not in area_findings(nevada, tabulate(nevada, rest), {**rest, other: Worksheet(6, {}, {}, {})})
    rest[other] = replace(rest[other], delegates={"Sanders": 1})
    finding = area_findings(nevada, tabulate(nevada, rest, {code}), rest)["White Pine"]
    assert (finding.numbers, finding.groups) == ({"delegates": 71, "elected": 72, "suspects": 1}, (other,))


def test_the_sample_of_early_votes_is_sound_and_by_rule() -> None:
    """What its chairs key of their rooms, with its invented ballots folded in, breaks no rule in any precinct."""
    folder = CONTESTS / "nevada-sample"
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    contest = read_contest(files)
    keyed = read_worksheets(contest, files["worksheets.csv"])
    sheets = folded_sheets(contest, keyed)
    assert set(keyed) == set(contest.precincts) == set(contest.early_ballots)
    hard = [
        finding
        for code, sheet in sheets.items()
        for finding in report_findings(contest, contest.precincts[code], sheet)
        if finding.severity == "hard"
    ]
    assert hard == []
    assert [sheet.headcount for sheet in sheets.values()] == [9, 12, 24, 61, 75, 9]
    assert tabulate(contest, sheets).statewide.delegates["Sanders"] == 11
