"""The results for everybody: pages, JSON and CSV of the same edition. Read-only, cacheable, nothing about a person."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as Conditional

from hotline.caucus.contest import Contest
from hotline.web import tables
from hotline.web.access import open_to_all
from hotline.web.doors import doors
from hotline.web.editions import Edition

results = Blueprint("results", __name__, template_folder="templates")

CACHED = "public, max-age=5"
STATIC: Mapping[str, str] = {
    "style.css": "text/css",
    "console.css": "text/css",
    "console.js": "text/javascript",
    "wall.css": "text/css",
    "wall.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_FOLDER = Path(__file__).parent / "static"


@results.get("/results")
@open_to_all
def statewide() -> Conditional:
    """The whole contest: totals, progress, every county and pool."""
    edition, contest = doors().editions.newest(), doors().line.contest
    page = edition.page("/results", lambda: _statewide(edition, contest))
    return _cached(Response(page, mimetype="text/html"), edition)


@results.get("/results/<county>")
@open_to_all
def one_county(county: str) -> Conditional:
    """One county, or one pool of satellite sites: totals, every precinct, every finding."""
    edition, contest = doors().editions.newest(), doors().line.contest
    name = tables.find(edition.results, county)
    if name is None:
        raise NotFound
    page = edition.page(f"/results/{tables.slug(name)}", lambda: _county(edition, contest, name))
    return _cached(Response(page, mimetype="text/html"), edition)


@results.get("/results.json")
@open_to_all
def as_json() -> Conditional:
    """The document itself."""
    edition = doors().editions.newest()
    response = Response(edition.json, mimetype="application/json")
    response.headers["Access-Control-Allow-Origin"] = "*"
    return _cached(response, edition)


@results.get("/results.csv")
@open_to_all
def as_csv() -> Conditional:
    """The same figures for a spreadsheet."""
    edition = doors().editions.newest()
    response = Response(doors().publication.as_csv(edition.results), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{edition.results["contest"]}-results.csv"'
    return _cached(response, edition)


@results.get("/static/<name>")
@open_to_all
def static(name: str) -> Conditional:
    """What a page is dressed with: style sheets, the icon and the console's script, nothing else that may lie there."""
    if name not in STATIC:
        raise NotFound
    response = Response((_FOLDER / name).read_bytes(), mimetype=STATIC[name])
    response.add_etag()
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response.make_conditional(request)


def _statewide(edition: Edition, contest: Contest) -> str:
    found = edition.results
    return render_template(
        "results.html",
        **_shared(found, contest),
        table=tables.table(found["totals"], contest),
        places=tables.places(found, contest),
        reconciles=tables.reconciles(found),
        by_chance=sum(len(county["chance"]) for county in found["counties"].values()),
    )


def _county(edition: Edition, contest: Contest, name: str) -> str:
    county = edition.results["counties"][name]
    sites = doors().publication.sites_of(contest, edition.night, name)
    return render_template(
        "county.html",
        **_shared(edition.results, contest),
        name=name,
        county=county,
        table=tables.table(county["totals"], contest),
        sites=tables.sites(sites, contest),
        of_the_area=[finding for finding in county["findings"] if not finding["precinct"]],
    )


def _shared(found: Mapping[str, Any], contest: Contest) -> dict[str, Any]:
    """What every page of results is made of."""
    return {
        "results": found,
        "contest": contest,
        "units": tables.units(contest),
        "at": tables.spoken_time(found["at"]),
        "status": tables.STATUS.get(found["status"], found["status"]),
    }


def _cached(response: Response, edition: Edition) -> Conditional:
    """A reader who has this edition is told so; caches may keep it for five seconds."""
    response.set_etag(edition.tag)
    response.headers["Cache-Control"] = CACHED
    return response.make_conditional(request)
