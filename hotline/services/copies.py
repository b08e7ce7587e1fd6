"""A contest as large as one likes, from a real one: its counties and sites over and over, their numbers shuffled.

For measuring, never for a night: no two copies are alike, so a copy is no duplicate of the site it was made from, and
codes are longer than a phone takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotline.caucus.codes import with_check_digit
from hotline.caucus.contest import Contest, County, Pool, Precinct
from hotline.caucus.viability import assumed_headcount
from hotline.caucus.worksheet import Tallies, Worksheet
from hotline.clock import seeded


def copies(contest: Contest, sheets: Mapping[str, Worksheet], sites: int) -> tuple[Contest, dict[str, Worksheet]]:
    """A contest of that many sites and a worksheet for each, from the sites that have one, in roster order.

    Each copy hands the groups' numbers to other groups. Headcounts nobody took are keyed as the larger alignment.
    """
    originals = [precinct for precinct in contest.precincts.values() if precinct.code in sheets]
    shuffled = [_shuffled(contest, copy) for copy in range(-(-sites // len(originals)))]
    precincts: dict[str, Precinct] = {}
    repeated: dict[str, Worksheet] = {}
    counties: dict[str, County] = {}
    pools: dict[str, Pool] = {}
    for number in range(sites):
        copy, at = divmod(number, len(originals))
        site = originals[at]
        code, area = with_check_digit(f"{number:07d}"), f"{site.county} {copy}"
        precincts[code] = replace(site, code=code, county=area)
        repeated[code] = _relabelled(sheets[site.code], shuffled[copy])
        if site.is_satellite:
            pools[area] = replace(contest.pools[site.county], name=area)
        else:
            counties[area] = replace(contest.counties[site.county], name=area)
    return replace(contest, precincts=precincts, counties=counties, pools=pools, early_ballots={}), repeated


def _shuffled(contest: Contest, copy: int) -> dict[str, str]:
    """Which group has a group's numbers in a copy."""
    keys = list(contest.keys)
    seeded("copies", copy).shuffle(keys)
    return dict(zip(contest.keys, keys, strict=True))


def _relabelled(sheet: Worksheet, groups: Mapping[str, str]) -> Worksheet:
    def renamed(tallies: Tallies) -> Tallies:
        return {groups[group]: number for group, number in tallies.items() if number}

    return Worksheet(assumed_headcount(sheet), renamed(sheet.first), renamed(sheet.final), renamed(sheet.delegates))
