"""What each check tells: the whole sentence, the numbers as data and the groups, from a table beside."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from hotline.caucus.checks import CHECKS, report_findings
from hotline.caucus.worksheet import Worksheet
from tests.caucus.party_rules import IOWA, NEVADA, contest_of

WORKSHEETS = tomllib.loads(Path(__file__).with_name("findings_told.toml").read_text(encoding="utf-8"))["worksheet"]
RULES = {"iowa": IOWA, "nevada": NEVADA}


def counts(text: str) -> dict[str, int]:
    """ "Ash=60 Oak=40" as counts."""
    return {name: int(number) for name, number in (each.split("=") for each in text.split())}


@pytest.mark.parametrize("case", WORKSHEETS)
def test_each_finding_tells_its_numbers_and_its_rule(case: dict[str, Any]) -> None:
    """All findings of a worksheet, word for word, and the same facts beside them as data."""
    contest, precinct = contest_of(case["elects"], RULES[case["rules"]])
    first, final = counts(case["first"]), counts(case.get("final", case["first"]))
    sheet = Worksheet(case["headcount"], first, final, counts(case["delegates"]))
    expected = [
        (told["code"], f"Polk, First Ward: {told['text']}", counts(told["numbers"]), tuple(told["groups"].split()))
        for told in case.get("told", ())
    ]
    found = report_findings(contest, precinct, sheet)
    assert [(f.code, f.message, dict(f.numbers), f.groups) for f in found] == expected


def test_every_check_is_told_there() -> None:
    """A new check comes with a worksheet that breaks it."""
    told = {each["code"] for case in WORKSHEETS for each in case.get("told", ())}
    assert told == {check.code for check in CHECKS}


HARD_OR_NOTICE = {
    "FIRST_EXCEEDS_HEADCOUNT": ("hard", "first", "first"),
    "NOBODY_CAME": ("notice", "first", "both"),
    "FINAL_EXCEEDS_FIRST": ("hard", "final", "none"),
    "NO_VIABLE_GROUP": ("hard", "final", "both"),
    "VIABLE_GROUP_SHRANK": ("hard", "final", "first"),
    "GROUP_BELOW_THRESHOLD_KEPT": ("notice", "final", "both"),
    "ROUND_MISMATCH": ("notice", "final", "none"),
    "EMPTY_GROUP_GIVEN_DELEGATES": ("hard", "delegates", "both"),
    "NONVIABLE_GIVEN_DELEGATES": ("hard", "delegates", "both"),
    "VIABLE_WITHOUT_DELEGATE": ("hard", "delegates", "both"),
    "DELEGATES_OVER_ALLOTMENT": ("hard", "delegates", "both"),
    "DELEGATES_UNDER_ALLOTMENT": ("hard", "delegates", "both"),
    "MORE_SUPPORT_FEWER_DELEGATES": ("hard", "delegates", "both"),
    "DELEGATES_NOT_BY_RULE": ("hard", "delegates", "both"),
    "SINGLE_DELEGATE_NOT_PLURALITY": ("notice", "delegates", "both"),
    "TIE_BY_CHANCE": ("notice", "delegates", "both"),
}
"""By code: whether it holds a report, where on the worksheet it is said, and which sums its headcount rests on."""


def test_what_holds_a_report_and_what_is_only_noted() -> None:
    """Hard breaks a rule; a notice is recorded only: nobody came, a remnant stayed, people left, chance decided."""
    assert {check.code: (check.severity, check.section, check.headcount) for check in CHECKS} == HARD_OR_NOTICE
