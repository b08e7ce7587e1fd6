"""The results for everybody: pages, JSON and CSV of the same edition. Read-only, cacheable, nothing about a person."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as Conditional

from hotline.web import tables
from hotline.web.access import open_to_all
from hotline.web.doors import doors
from hotline.web.editions import Edition

results = Blueprint("results", __name__, template_folder="templates")

CACHED = "public, max-age=5"
STATIC: Mapping[str, str] = {"style.css": "text/css", "icon.svg": "image/svg+xml"}
_FOLDER = Path(__file__).parent / "static"


@results.get("/results")
@open_to_all
def statewide() -> Conditional:
    """The whole contest: totals, progress, every county and pool."""
    edition, contest = doors().editions.newest(), doors().line.contest
    found = edition.results
    page = render_template(
        "results.html",
        results=found,
        contest=contest,
        at=tables.spoken_time(found["at"]),
        status=tables.STATUS.get(found["status"], found["status"]),
        table=tables.table(found["totals"], contest),
        places=tables.places(found, contest),
        reconciles=tables.reconciles(found),
    )
    return _cached(Response(page, mimetype="text/html"), edition)


@results.get("/results/<county>")
@open_to_all
def one_county(county: str) -> Conditional:
    """One county, or one pool of satellite sites."""
    edition, contest = doors().editions.newest(), doors().line.contest
    found = edition.results
    name = tables.find(found, county)
    if name is None:
        raise NotFound
    page = render_template(
        "county.html",
        results=found,
        contest=contest,
        at=tables.spoken_time(found["at"]),
        status=tables.STATUS.get(found["status"], found["status"]),
        name=name,
        county=found["counties"][name],
        table=tables.table(found["counties"][name]["totals"], contest),
    )
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
    """What a page is dressed with: the one style sheet and the icon, nothing else that may lie there."""
    if name not in STATIC:
        raise NotFound
    response = Response((_FOLDER / name).read_bytes(), mimetype=STATIC[name])
    response.add_etag()
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response.make_conditional(request)


def _cached(response: Response, edition: Edition) -> Conditional:
    """A reader who has this edition is told so; caches may keep it for five seconds."""
    response.set_etag(edition.tag)
    response.headers["Cache-Control"] = CACHED
    return response.make_conditional(request)
