"""Precincts: search and chase list, one precinct, closing a site and a new PIN by two, calling the chair back."""

from __future__ import annotations

from typing import get_args

from flask import Blueprint, Response, request

from hotline.errors import FormRefused, Overtaken
from hotline.events.decisions import What
from hotline.services import precinct_desk, review, review_card
from hotline.services.precinct_desk import Row
from hotline.services.review import Wanted
from hotline.web.access import for_staff
from hotline.web.console.gate import signed_in
from hotline.web.console.pages import ALL, APPROVERS, WORKERS, go_to, page, part_of
from hotline.web.doors import doors

precincts = Blueprint("precincts", __name__)

STATUSES = ("outstanding", "held", "counted", "closed")
OF_SITES = ("close", "open", "reissue")


@precincts.get("/staff/precincts")
@for_staff(*ALL)
def search() -> Response:
    """Every precinct, or those that are asked for; the outstanding ones are the list of whom to chase."""
    asked = {name: request.args.get(name, "").strip() for name in ("search", "county", "status")}
    line = doors().line
    every = precinct_desk.rows(line)
    found = [each for each in every if _is_asked(each, asked)]
    return page(
        "console/precincts.html",
        rows=part_of(found),
        asked=asked,
        statuses=STATUSES,
        counties=[*line.contest.counties, *line.contest.pools],
        outstanding=sum(each.status == "outstanding" for each in every),
    )


@precincts.get("/staff/precincts/<code>")
@for_staff(*ALL)
def card(code: str) -> Response:
    """One precinct."""
    return _card(code)


@precincts.post("/staff/precincts/<code>/call-back")
@for_staff(*WORKERS)
def call_back(code: str) -> Response:
    """The number on file is to be called."""
    precinct_desk.call_back(doors().line, signed_in(), code)
    return go_to("precincts.card", code=code)


@precincts.post("/staff/precincts/<code>/propose")
@for_staff(*WORKERS)
def propose(code: str) -> Response:
    """Closing the site, opening it again, or a new PIN: another has to approve it."""
    review_card.card(doors().line, code)
    try:
        what = _what(request.form.get("what", ""))
        review.propose(doors().line, signed_in(), Wanted(what, code, 0, request.form.get("why", "")))
    except FormRefused as refused:
        return _card(code, str(refused), refused.status)
    return go_to("precincts.card", code=code)


@precincts.post("/staff/precincts/<code>/reissue")
@for_staff(*APPROVERS)
def reissue(code: str) -> Response:
    """The second word on a new PIN. It is shown this once, to be read to a number on file and to no other."""
    line, found = doors().line, review_card.card(doors().line, code)
    if found.proposal is None or found.proposal.what != "reissue":
        raise Overtaken("No new PIN is proposed for this precinct any more.")
    review.approve(line, signed_in(), found.proposal.id)
    (packet,) = line.pins.issue([code])
    return page("console/issued.html", card=found, packet=packet)


def _card(code: str, problem: str = "", status: int = 200) -> Response:
    found = review_card.card(doors().line, code)
    line = doors().line
    return page(
        "console/precinct.html",
        status,
        card=found,
        problem=problem,
        why=request.form.get("why", ""),
        of_sites=OF_SITES,
        has_pin=code in line.pins.issued(),
        on_file=line.chairs.on_file().get(code, ()),
        last=line.chairs.last_call_backs().get(code),
        attempts=line.calls.attempts(code),
    )


def _what(given: str) -> What:
    found = next((each for each in get_args(What) if each == given and each in OF_SITES), None)
    if found is None:
        raise FormRefused("Choose what to do.")
    what: What = found
    return what


def _is_asked(each: Row, asked: dict[str, str]) -> bool:
    precinct = each.precinct
    words = f"{precinct.code} {precinct.name} {precinct.spoken} {precinct.county} "
    words += " ".join(number.caller for number in each.on_file)
    return (
        asked["search"].lower() in words.lower()
        and asked["county"] in ("", precinct.county)
        and asked["status"] in ("", each.status)
    )
