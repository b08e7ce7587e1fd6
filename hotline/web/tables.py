"""The results document as rows a page can show: names, shares, order, and whether the parts make the whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from hotline.caucus.contest import Contest

STATUS: Mapping[str, str] = {
    "unofficial-partial": "Unofficial, partial",
    "unofficial-complete": "Unofficial, complete",
    "correction": "Unofficial, corrected",
    "recount": "Recount",
    "certified": "Certified",
}
COUNTED = ("first", "final", "delegates")
SDE_PLACES = 4


@dataclass(frozen=True)
class Row:
    """One preference. `share` is its part of the state delegate equivalents, in percent with one decimal."""

    name: str
    first: int
    final: int
    delegates: int
    sde: str
    share: str


@dataclass(frozen=True)
class Table:
    """Preferences by state delegate equivalents, most first; and their sums."""

    rows: tuple[Row, ...]
    total: Row


@dataclass(frozen=True)
class Place:
    """A county or pool in the list of all. `leaders` has more than one name when they are level."""

    name: str
    slug: str
    reported: int
    held: int
    total: int
    leaders: str


def table(totals: Mapping[str, Mapping[str, Any]], contest: Contest) -> Table:
    """The table of one set of totals."""
    whole = sum((_exact(figures) for figures in totals.values()), Fraction(0))
    ranked = sorted(totals.items(), key=lambda item: (-_exact(item[1]), -item[1]["final"], -item[1]["first"], item[0]))
    rows = tuple(_row(_name(key, contest), figures, whole) for key, figures in ranked)
    sums = {column: sum(figures[column] for figures in totals.values()) for column in COUNTED}
    return Table(rows, _row("Total", {**sums, "sde": _decimal(whole, SDE_PLACES), "sde_exact": whole}, whole))


def places(results: Mapping[str, Any], contest: Contest) -> tuple[Place, ...]:
    """Every county and pool, in the document's order."""
    return tuple(_place(name, county, contest) for name, county in results["counties"].items())


def find(results: Mapping[str, Any], name: str) -> str | None:
    """The county or pool an address means: its name or its slug, whatever the case."""
    wanted = slug(name)
    return next((county for county in results["counties"] if slug(county) == wanted), None)


def slug(name: str) -> str:
    """A name as it stands in an address: "Black Hawk" is "black-hawk"."""
    return "-".join(name.lower().replace("'", "").split())


def reconciles(results: Mapping[str, Any]) -> bool:
    """Whether the counties and pools add up to the statewide totals, in every column, equivalents exactly."""
    counties = [county["totals"] for county in results["counties"].values()]
    return all(
        [figures[column] for column in COUNTED]
        == [sum(c[key][column] for c in counties if key in c) for column in COUNTED]
        and _exact(figures) == sum((_exact(c[key]) for c in counties if key in c), Fraction(0))
        for key, figures in results["totals"].items()
    )


def spoken_time(at: str) -> str:
    """An instant of the document as people write it, in UTC."""
    return f"{datetime.fromisoformat(at):%-d %B %Y, %H:%M:%S} UTC"


def _place(name: str, county: Mapping[str, Any], contest: Contest) -> Place:
    best = max((_exact(figures) for figures in county["totals"].values()), default=Fraction(0))
    leaders = [_name(key, contest) for key, figures in county["totals"].items() if best and _exact(figures) == best]
    precincts = county["precincts"]
    return Place(
        name, slug(name), precincts["reported"], precincts["held"], precincts["total"], ", ".join(leaders) or "–"
    )


def _row(name: str, figures: Mapping[str, Any], whole: Fraction) -> Row:
    share = _percent(_exact(figures), whole)
    return Row(name, figures["first"], figures["final"], figures["delegates"], figures["sde"], share)


def _name(key: str, contest: Contest) -> str:
    preference = contest.by_key.get(key)
    return preference.name if preference else key


def _exact(figures: Mapping[str, Any]) -> Fraction:
    return Fraction(figures["sde_exact"])


def _percent(part: Fraction, whole: Fraction) -> str:
    return _decimal(100 * part / whole, 1) if whole else "0.0"


def _decimal(value: Fraction, places: int) -> str:
    """Rounded half up, as people round."""
    scaled = (value * 10**places + Fraction(1, 2)).__floor__()
    return f"{scaled // 10**places:,}.{scaled % 10**places:0{places}}"
