"""The results document as rows a page can show: names, shares, order, and whether the parts make the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from hotline.caucus.contest import Contest
from hotline.services.figures import measure, ranked

STATUS: Mapping[str, str] = {
    "unofficial-partial": "Unofficial, partial",
    "unofficial-complete": "Unofficial, complete",
    "correction": "Unofficial, corrected",
    "recount": "Recount",
    "certified": "Certified",
}
STANDING: Mapping[str, str] = {
    "counted": "Counted",
    "held": "Held for review",
    "closed": "Closed, nothing to report",
    "outstanding": "Not yet reported",
}
COUNTED = ("first", "final", "delegates")
SDE_PLACES = 4
NONE = "–"


@dataclass(frozen=True)
class Row:
    """One preference. `share` is its part of what decides, in percent with one decimal.

    `sde` is "" where the contest has no equivalents.
    """

    name: str
    first: int
    final: int
    delegates: int
    sde: str
    share: str


@dataclass(frozen=True)
class Table:
    """Preferences by what decides, the leader first; and their sums."""

    rows: tuple[Row, ...]
    total: Row


@dataclass(frozen=True)
class Units:
    """What is won, in the contest's words: `decides` in full and `short` beside a share; `equivalents` may be None."""

    delegates: str
    equivalents: str | None
    decides: str
    short: str


@dataclass(frozen=True)
class Place:
    """A county or pool in the list of all. `leaders` has more than one name when they are level."""

    name: str
    slug: str
    reported: int
    held: int
    total: int
    leaders: str


@dataclass(frozen=True)
class Site:
    """A precinct in its county's list: counts as text, "–" where there is no report, and who won how many delegates."""

    code: str
    name: str
    standing: str
    is_held: bool
    by_chance: bool
    headcount: str
    first: str
    final: str
    delegates: str
    findings: tuple[Mapping[str, Any], ...]


def table(totals: Mapping[str, Mapping[str, Any]], contest: Contest) -> Table:
    """The table of one set of totals."""
    whole = sum((measure(figures) for figures in totals.values()), Fraction(0))
    rows = tuple(_row(_name(key, contest), figures, whole) for key, figures in ranked(totals))
    sums: dict[str, Any] = {column: sum(figures[column] for figures in totals.values()) for column in COUNTED}
    equivalents = {"sde": _decimal(whole, SDE_PLACES), "sde_exact": whole} if contest.has_equivalents else {}
    return Table(rows, _row("Total", {**sums, **equivalents}, whole))


def units(contest: Contest) -> Units:
    """What the pages call what is won."""
    won, equivalents = contest.units.delegates, contest.units.equivalents
    return Units(won, equivalents, equivalents or won, "SDE" if equivalents else "delegates")


def places(results: Mapping[str, Any], contest: Contest) -> tuple[Place, ...]:
    """Every county and pool, in the document's order."""
    return tuple(_place(name, county, contest) for name, county in results["counties"].items())


def sites(documents: Iterable[Mapping[str, Any]], contest: Contest) -> tuple[Site, ...]:
    """Every precinct of one county, in the documents' order; of its findings broken rules come first."""
    return tuple(_site(document, contest) for document in documents)


def find(results: Mapping[str, Any], name: str) -> str | None:
    """The county or pool an address means: its name or its slug, whatever the case."""
    wanted = slug(name)
    return next((county for county in results["counties"] if slug(county) == wanted), None)


def slug(name: str) -> str:
    """A name as it stands in an address: "Black Hawk" is "black-hawk"."""
    return "-".join(name.lower().replace("'", "").split())


def reconciles(results: Mapping[str, Any]) -> bool:
    """Whether the counties and pools add up to the statewide totals, in every column, what decides exactly."""
    counties = [county["totals"] for county in results["counties"].values()]
    return all(
        [figures[column] for column in COUNTED]
        == [sum(c[key][column] for c in counties if key in c) for column in COUNTED]
        and measure(figures) == sum((measure(c[key]) for c in counties if key in c), Fraction(0))
        for key, figures in results["totals"].items()
    )


def spoken_time(at: str) -> str:
    """An instant of the document as people write it, in UTC."""
    return f"{datetime.fromisoformat(at):%-d %B %Y, %H:%M:%S} UTC"


def _place(name: str, county: Mapping[str, Any], contest: Contest) -> Place:
    best = max((measure(figures) for figures in county["totals"].values()), default=Fraction(0))
    leaders = [_name(key, contest) for key, figures in county["totals"].items() if best and measure(figures) == best]
    precincts = county["precincts"]
    return Place(
        name, slug(name), precincts["reported"], precincts["held"], precincts["total"], ", ".join(leaders) or NONE
    )


def _site(document: Mapping[str, Any], contest: Contest) -> Site:
    won = ", ".join(f"{contest.by_key[key].spoken} {count}" for key, count in document["delegates"].items())
    headcount, first, final = (_count(document[part]) for part in ("headcount", "first", "final"))
    return Site(
        document["code"],
        document["name"],
        STANDING[document["status"]],
        document["status"] == "held",
        document["by_chance"],
        headcount,
        first,
        final,
        won or NONE,
        tuple(sorted(document["findings"], key=lambda finding: finding["severity"])),
    )


def _count(people: int | None) -> str:
    return NONE if people is None else f"{people:,}"


def _row(name: str, figures: Mapping[str, Any], whole: Fraction) -> Row:
    share = _percent(measure(figures), whole)
    return Row(name, figures["first"], figures["final"], figures["delegates"], figures.get("sde", ""), share)


def _name(key: str, contest: Contest) -> str:
    preference = contest.by_key.get(key)
    return preference.name if preference else key


def _percent(part: Fraction, whole: Fraction) -> str:
    return _decimal(100 * part / whole, 1) if whole else "0.0"


def _decimal(value: Fraction, places: int) -> str:
    """Rounded half up, as people round."""
    scaled = (value * 10**places + Fraction(1, 2)).__floor__()
    return f"{scaled // 10**places:,}.{scaled % 10**places:0{places}}"
