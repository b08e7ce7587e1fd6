"""Another source for the same precinct: what differs is named number by number, what agrees is no finding."""

from __future__ import annotations

from dataclasses import replace

from hotline.caucus.sources import Difference, conflicting_reports, differences
from hotline.caucus.worksheet import Worksheet
from tests.caucus.party_rules import contest_of

CONTEST, PRECINCT = contest_of(5)
PHONED = Worksheet(100, {"Ash": 60, "Oak": 40}, {"Ash": 60, "Oak": 40}, {"Ash": 3, "Oak": 2})


def test_sources_that_agree_are_no_finding() -> None:
    """A group of nobody and one left out are the same number."""
    paper = replace(PHONED, first={"Oak": 40, "Elm": 0, "Ash": 60})
    assert differences(CONTEST, PHONED, paper) == ()
    assert conflicting_reports(CONTEST, PRECINCT, "version 2", PHONED, {"version 1": paper}) is None
    assert conflicting_reports(CONTEST, PRECINCT, "version 1", PHONED, {}) is None


def test_a_headcount_one_source_lacks_is_no_difference() -> None:
    """An observer who took none contradicts nobody."""
    assert differences(CONTEST, PHONED, replace(PHONED, headcount=None)) == ()
    assert differences(CONTEST, replace(PHONED, headcount=None), PHONED) == ()


def test_every_number_that_differs_is_named() -> None:
    """Headcount first, then section by section in worksheet order, each with both counts."""
    other = Worksheet(99, {"Ash": 60, "Oak": 39}, PHONED.final, {"Ash": 2, "Birch": 1, "Oak": 2})
    assert differences(CONTEST, PHONED, other) == (
        Difference("first", "", 100, 99),
        Difference("first", "Oak", 40, 39),
        Difference("delegates", "Ash", 3, 2),
        Difference("delegates", "Birch", 0, 1),
    )


def test_the_finding_names_each_source_that_differs() -> None:
    """One that agrees is left out; the section is the first that differs in any of them."""
    others = {
        "version 2": replace(PHONED, delegates={"Ash": 2, "Oak": 3}),
        "version 1": PHONED,
        "the paper": replace(PHONED, final={"Ash": 61, "Oak": 39}),
    }
    found = conflicting_reports(CONTEST, PRECINCT, "version 3", PHONED, others)
    assert found is not None
    assert (found.code, found.severity, found.section) == ("CONFLICTING_REPORTS", "hard", "final")
    assert found.message == (
        "Polk, First Ward: version 3 and version 2 differ and neither corrects the other: delegates of Ash 3 and 2, "
        "delegates of Oak 2 and 3; version 3 and the paper differ and neither corrects the other: final Ash 60 and 61, "
        "final Oak 40 and 39"
    )
    assert (found.numbers, found.groups) == ({"others": 2, "differences": 4}, ("Ash", "Oak"))


def test_a_headcount_alone_is_a_conflict() -> None:
    """It belongs to the first section and to no group."""
    found = conflicting_reports(CONTEST, PRECINCT, "version 2", PHONED, {"version 1": replace(PHONED, headcount=101)})
    assert found is not None
    assert (found.section, found.groups) == ("first", ())
    assert found.message.endswith(": headcount 100 and 101")
