"""Totals from scratch: exact, in one pass, provisional where a pool is not complete."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from hotline.caucus.contest import Contest, Precinct, Units
from hotline.caucus.equivalents import of_precinct, of_site, per_delegate, shown
from hotline.caucus.tabulate import tabulate
from hotline.caucus.viability import assumed_headcount
from hotline.caucus.worksheet import Worksheet

Sheets = Mapping[str, Worksheet]


def test_a_precincts_equivalents_are_its_delegates_share_of_the_county(iowa: Contest) -> None:
    """Adair shares 4 SDEs among 51 county delegates: two of them are 8/51, published as 0.1569."""
    assert per_delegate(iowa.counties["Adair"]) == Fraction(4, 51)
    won = of_precinct(iowa, iowa.precincts["00013"], Worksheet(40, {}, {}, {"Sanders": 2, "Biden": 0}))
    assert (won, shown(won["Sanders"])) == ({"Sanders": Fraction(8, 51)}, "0.1569")


def test_a_sites_equivalents_follow_its_headcount(iowa: Contest) -> None:
    """A site of 24 in a pool of 96 has a quarter of the pool's 6 SDEs, shared by its 5 delegates."""
    library = iowa.precincts["16798"]
    sheet = Worksheet(24, {}, {}, {"Warren": 2, "Sanders": 3})
    assert of_site(iowa, library, sheet, 96) == {"Warren": Fraction(3, 5), "Sanders": Fraction(9, 10)}
    assert of_site(iowa, library, Worksheet(0, {}, {}, {}), 96) == {}
    assert of_site(iowa, library, sheet, 0) == {}
    assert of_site(iowa, library, Worksheet(24, {}, {}, {"Warren": 5, "Yang": 0}), 24) == {"Warren": 6}


def test_a_pool_is_provisional_until_every_site_has_reported_or_is_closed(iowa: Contest, reported: Sheets) -> None:
    """Three pools wait for their silent sites; closing those completes them and changes no sum."""
    silent = set(iowa.precincts) - set(reported)
    waiting, done = tabulate(iowa, reported), tabulate(iowa, reported, silent)
    assert (waiting.provisional, done.provisional) == (("CD1", "CD2", "CD4"), ())
    assert (done.sites, done.reported, done.closed) == (1765, 1761, 4)
    assert waiting.statewide == done.statewide
    assert not waiting.areas["CD1"].is_complete
    assert done.areas["CD1"].is_complete


def test_only_a_pool_that_shares_equivalents_is_provisional(iowa: Contest, reported: Sheets) -> None:
    """From its first site on; a county's delegates are worth the same whoever else reports, and so is a delegate that
    turns into nothing."""
    sites = [next(code for code in reported if iowa.precincts[code].county == area) for area in ("CD3", "Adair")]
    early = {code: reported[code] for code in sites}
    plain = replace(iowa, units=Units("delegates", None))
    assert tabulate(iowa, early).provisional == ("CD3",)
    assert tabulate(plain, early).provisional == ()


def test_a_site_that_reported_is_not_closed(iowa: Contest, reported: Sheets) -> None:
    """A report overrides the closing: the site counts once, as reported."""
    code = next(iter(reported))
    assert tabulate(iowa, {code: reported[code]}, {code}).closed == 0


def test_nothing_reported_gives_zeros_for_every_group(iowa: Contest) -> None:
    """Before the first call every area and group stands there with nothing, and no pool is provisional."""
    empty = tabulate(iowa, {})
    assert (empty.reported, empty.provisional, list(empty.statewide.sde)) == (0, (), list(iowa.keys))
    assert set(empty.statewide.sde.values()) == {0}


def test_the_state_is_the_sum_of_its_areas_and_of_its_sites(iowa: Contest, reported: Sheets) -> None:
    """Summing site by site gives the very same fractions."""
    tabulation = tabulate(iowa, reported)
    pools = {
        name: sum(assumed_headcount(s) for code, s in reported.items() if iowa.precincts[code].county == name)
        for name in iowa.pools
    }
    total = Fraction(0)
    for code, sheet in reported.items():
        site = iowa.precincts[code]
        won = of_site(iowa, site, sheet, pools[site.county]) if site.is_satellite else of_precinct(iowa, site, sheet)
        total += won.get("Sanders", 0)
    assert total == tabulation.statewide.sde["Sanders"]


def test_two_thousand_precincts_take_a_fraction_of_a_second_and_time_grows_with_their_number(
    iowa: Contest, reported: Sheets
) -> None:
    """The 2020 night is tabulated in well under 2 s; eight times the precincts take about eight times as long."""
    once = _fastest(iowa, reported)
    contest, sheets = _copied(iowa, reported, 8)
    assert len(sheets) == 8 * 1678
    assert once < 1
    assert _fastest(contest, sheets) < 20 * once + 0.2


def _copied(iowa: Contest, reported: Sheets, times: int) -> tuple[Contest, Sheets]:
    codes = [code for code in reported if not iowa.precincts[code].is_satellite]
    precincts: dict[str, Precinct] = {}
    sheets: dict[str, Worksheet] = {}
    for copy in range(times):
        for code in codes:
            precincts[f"{copy}-{code}"] = replace(iowa.precincts[code], code=f"{copy}-{code}")
            sheets[f"{copy}-{code}"] = reported[code]
    return replace(iowa, precincts=precincts), sheets


def _fastest(contest: Contest, sheets: Sheets) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        tabulate(contest, sheets)
        times.append(time.perf_counter() - start)
    return min(times)


@given(st.fractions(min_value=0, max_value=10_000), st.integers(1, 6))
def test_shown_is_the_nearest_decimal(number: Fraction, places: int) -> None:
    """Rounded half up at the places asked for, never further off than half of the last one."""
    decimal = Fraction(shown(number, places))
    assert abs(decimal - number) <= Fraction(1, 2 * 10**places)
    assert len(shown(number, places).partition(".")[2]) == places
