"""What early ballots come to in the totals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hotline.caucus.contest import County, Units
from hotline.caucus.early import folded_sheets
from hotline.caucus.tabulate import tabulate
from hotline.caucus.worksheet import Worksheet
from tests.caucus.test_early_votes import BUNDLES, nonzero, voting_early


def test_totals_are_worked_out_from_folded_worksheets() -> None:
    """People of both kinds count in both alignments; delegates are as keyed, and there are no equivalents."""
    contest, precinct = voting_early(5, *BUNDLES)
    counties = {"Polk": County("Polk", 5, Fraction(0))}
    contest = replace(contest, counties=counties, units=Units("county convention delegates", None))
    keyed = {precinct.code: Worksheet(40, {"Ash": 20, "Birch": 20}, {"Ash": 20, "Birch": 20}, {"Ash": 3, "Birch": 2})}
    totals = tabulate(contest, folded_sheets(contest, keyed)).statewide
    assert nonzero(totals.first) == {"Ash": 24, "Birch": 20, "Elm": 3, "Fir": 2}
    assert nonzero(totals.final) == {"Ash": 24, "Birch": 23}
    assert nonzero(totals.delegates) == {"Ash": 3, "Birch": 2}
    assert set(totals.sde.values()) == {Fraction(0)}
