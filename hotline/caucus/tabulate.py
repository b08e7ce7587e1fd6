"""Totals from worksheets, worked out from scratch: per county, per pool and statewide. One pass, linear in the sites.

Which worksheets count (held ones or not, which version) is the caller's choice, and so is folding early ballots in
(see `early`); nothing is kept between two runs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hotline.caucus.contest import Contest, Precinct
from hotline.caucus.equivalents import of_site, per_delegate
from hotline.caucus.viability import assumed_headcount
from hotline.caucus.worksheet import Worksheet


@dataclass(frozen=True)
class Totals:
    """Sums per preference key, every preference named, in worksheet order: people, delegates and exact SDEs.

    Where a contest has no equivalents its SDEs are 0 throughout, and delegates say who leads.
    """

    first: Mapping[str, int]
    final: Mapping[str, int]
    delegates: Mapping[str, int]
    sde: Mapping[str, Fraction]


@dataclass(frozen=True)
class Area:
    """A county or a pool of satellites: its totals, and how many of its sites have reported or were closed.

    `shares` says that it divides equivalents among its sites by their headcounts: it is a pool, in a contest that has
    equivalents.
    """

    name: str
    is_pool: bool
    totals: Totals
    sites: int
    reported: int
    closed: int
    shares: bool

    @property
    def is_complete(self) -> bool:
        """Whether every site has reported or is closed."""
        return self.reported + self.closed == self.sites

    @property
    def provisional(self) -> bool:
        """Whether the shares may still change when another site reports."""
        return self.shares and bool(self.reported) and not self.is_complete


@dataclass(frozen=True)
class Tabulation:
    """The whole contest: areas by name, counties first, in roster order, and their sum."""

    areas: Mapping[str, Area]
    statewide: Totals

    @property
    def sites(self) -> int:
        """All sites of the contest."""
        return sum(area.sites for area in self.areas.values())

    @property
    def reported(self) -> int:
        """Sites with a worksheet that counts."""
        return sum(area.reported for area in self.areas.values())

    @property
    def closed(self) -> int:
        """Sites staff closed and that did not report."""
        return sum(area.closed for area in self.areas.values())

    @property
    def provisional(self) -> tuple[str, ...]:
        """The pools whose shares may still change."""
        return tuple(name for name, area in self.areas.items() if area.provisional)


def tabulate(contest: Contest, sheets: Mapping[str, Worksheet], closed: Collection[str] = ()) -> Tabulation:
    """Totals of `sheets`, by precinct code. `closed` are the sites that will not report; one that did is not closed."""
    sites: dict[str, list[Precinct]] = defaultdict(list)
    for precinct in contest.precincts.values():
        sites[precinct.county].append(precinct)
    areas = {name: _area(contest, name, sites[name], sheets, closed) for name in (*contest.counties, *contest.pools)}
    return Tabulation(areas, _sum(contest, [area.totals for area in areas.values()]))


def _area(
    contest: Contest,
    name: str,
    sites: Sequence[Precinct],
    sheets: Mapping[str, Worksheet],
    closed: Collection[str],
) -> Area:
    reported = [site for site in sites if site.code in sheets]
    first, final, delegates = Counter[str](), Counter[str](), Counter[str]()
    for site in reported:
        sheet = sheets[site.code]
        _add(first, sheet.first)
        _add(final, sheet.final)
        _add(delegates, sheet.delegates)
    is_pool = name in contest.pools
    sde = _of_pool(contest, reported, sheets) if is_pool else _of_county(contest, name, delegates)
    totals = Totals(
        _in_order(contest, first), _in_order(contest, final), _in_order(contest, delegates), _exact(contest, sde)
    )
    shut = sum(site.code in closed and site.code not in sheets for site in sites)
    return Area(name, is_pool, totals, len(sites), len(reported), shut, is_pool and contest.has_equivalents)


def _of_county(contest: Contest, name: str, delegates: Mapping[str, int]) -> Mapping[str, Fraction]:
    share = per_delegate(contest.counties[name])
    return {group: won * share for group, won in delegates.items()}


def _of_pool(contest: Contest, reported: Sequence[Precinct], sheets: Mapping[str, Worksheet]) -> Mapping[str, Fraction]:
    present = sum(assumed_headcount(sheets[site.code]) for site in reported)
    sums: dict[str, Fraction] = defaultdict(Fraction)
    for site in reported:
        for group, won in of_site(contest, site, sheets[site.code], present).items():
            sums[group] += won
    return sums


def _sum(contest: Contest, parts: Sequence[Totals]) -> Totals:
    first, final, delegates = Counter[str](), Counter[str](), Counter[str]()
    sde: dict[str, Fraction] = defaultdict(Fraction)
    for part in parts:
        _add(first, part.first)
        _add(final, part.final)
        _add(delegates, part.delegates)
        for group, won in part.sde.items():
            sde[group] += won
    return Totals(
        _in_order(contest, first), _in_order(contest, final), _in_order(contest, delegates), _exact(contest, sde)
    )


def _add(sums: Counter[str], counts: Mapping[str, int]) -> None:
    for group, count in counts.items():
        sums[group] += count


def _in_order(contest: Contest, sums: Mapping[str, int]) -> dict[str, int]:
    return {key: sums.get(key, 0) for key in contest.keys}


def _exact(contest: Contest, sums: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {key: sums.get(key, Fraction(0)) for key in contest.keys}
