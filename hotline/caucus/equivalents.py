"""State delegate equivalents (SDEs), exactly: fractions are summed as fractions and rounded only when shown.

A county's SDEs are shared by its county delegates. A pool's SDEs are shared by its satellite sites in proportion to
their headcounts, and a site's by its own delegates; this reproduces what the Iowa party published in 2020 at all 83
sites that reported. A contest whose delegates turn into nothing has none: every group wins 0.
"""

from __future__ import annotations

from fractions import Fraction

from hotline.caucus.contest import Contest, County, Precinct
from hotline.caucus.viability import allotment, assumed_headcount
from hotline.caucus.worksheet import Worksheet


def per_delegate(county: County) -> Fraction:
    """The SDEs of one county delegate."""
    return county.equivalents / county.delegates


def of_precinct(contest: Contest, precinct: Precinct, worksheet: Worksheet) -> dict[str, Fraction]:
    """The SDEs each group wins in a precinct of a county; groups without delegates left out."""
    share = per_delegate(contest.counties[precinct.county])
    return {group: won * share for group, won in worksheet.delegates.items() if won}


def of_site(contest: Contest, precinct: Precinct, worksheet: Worksheet, pool_headcount: int) -> dict[str, Fraction]:
    """The SDEs each group wins at a satellite site, when `pool_headcount` people came to all sites of its pool.

    Final only once the whole pool has reported; with the headcount of the sites so far, provisional.
    """
    headcount = assumed_headcount(worksheet)
    elected = allotment(contest, precinct, headcount)
    if not elected or not pool_headcount:
        return {}
    share = contest.pools[precinct.county].equivalents * headcount / (pool_headcount * elected)
    return {group: won * share for group, won in worksheet.delegates.items() if won}


def shown(number: Fraction, places: int = 4) -> str:
    """A fraction as the party published it: rounded half up, to 4 decimals unless told otherwise."""
    scale = 10**places
    whole = (2 * number.numerator * scale + number.denominator) // (2 * number.denominator)
    return f"{whole // scale}.{whole % scale:0{places}d}"
