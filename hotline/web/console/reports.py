"""Held reports: the queue, one report as a worksheet, and what staff decide of it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from hotline.errors import FormRefused, NotFound, Overtaken
from hotline.services import review, review_card
from hotline.services.corrections import read_changes, values_of
from hotline.services.review import Wanted
from hotline.services.review_card import Card, Waiting
from hotline.web.access import for_staff
from hotline.web.console.gate import signed_in
from hotline.web.console.grids import grid
from hotline.web.console.pages import ALL, APPROVERS, WORKERS, go_to, page, part_of
from hotline.web.doors import doors

reports = Blueprint("reports", __name__)


@reports.get("/staff/reports")
@for_staff(*ALL)
def queue() -> Response:
    """The held reports, the most urgent first."""
    line = doors().line
    asked = {name: request.args.get(name, "").strip() for name in ("search", "county", "rule", "state")}
    held = review_card.queue(line)
    found = [each for each in held if _is_asked(each, asked)]
    return page(
        "console/reports.html",
        held=len(held),
        rows=part_of(found),
        asked=asked,
        counties=sorted({each.precinct.county for each in held}),
        rules=sorted({rule for each in held for rule in each.report.rules}),
        second=[each for each in held if each.proposal and each.proposal.by != signed_in().staff],
    )


@reports.get("/staff/reports/<code>")
@for_staff(*ALL)
def card(code: str) -> Response:
    """One report."""
    return _card(review_card.card(doors().line, code))


@reports.get("/staff/reports/<code>/correct")
@for_staff(*WORKERS)
def correction(code: str) -> Response:
    """The worksheet to be filled in as it should read."""
    return _correction(review_card.card(doors().line, code), {}, "", "")


@reports.post("/staff/reports/<code>/correct")
@for_staff(*WORKERS)
def correct(code: str) -> Response:
    """Propose the fields that were changed."""
    line, found = doors().line, review_card.card(doors().line, code)
    if found.current is None:
        raise NotFound(f"{code} has no report that could be corrected.")
    why = request.form.get("why", "")
    try:
        changes = read_changes(line.contest, found.current.worksheet, request.form)
        wanted = Wanted("correct", code, _version(), why, changes)
        review.propose(line, signed_in(), wanted)
    except FormRefused as refused:
        return _correction(found, request.form, why, str(refused), refused.status)
    return go_to("reports.card", code=code)


@reports.post("/staff/reports/<code>/claim")
@for_staff(*WORKERS)
def claim(code: str) -> Response:
    """Take the report for five minutes, or give it back."""
    line, staff = doors().line, signed_in().staff
    review_card.card(line, code)
    if request.form.get("claim") == "release":
        line.reviews.release(review.subject(code), staff)
    else:
        line.reviews.claim(review.subject(code), staff)
    return go_to("reports.card", code=code)


@reports.post("/staff/reports/<code>/decide")
@for_staff(*WORKERS)
def decide(code: str) -> Response:
    """What one person may do alone, and what they may propose."""
    found = review_card.card(doors().line, code)
    try:
        _decide(code, request.form.get("why", ""))
    except FormRefused as refused:
        return _card(found, str(refused), refused.status)
    return go_to("reports.card", code=code)


@reports.get("/staff/proposals/<int:proposal>")
@for_staff(*ALL)
def proposal(proposal: int) -> Response:
    """A proposal stands on its report's page."""
    found = doors().line.reviews.find(proposal)
    if found is None:
        raise NotFound(f"There is no proposal {proposal}.")
    return go_to("reports.card", code=found.precinct)


@reports.post("/staff/proposals/<int:proposal>/approve")
@for_staff(*APPROVERS)
def approve(proposal: int) -> Response:
    """The second word: yes."""
    found = doors().line.reviews.find(proposal)
    if found and found.what == "reissue":
        raise Overtaken("A new PIN is approved on the precinct's page, where it is shown.")
    return go_to("reports.card", code=review.approve(doors().line, signed_in(), proposal).precinct)


@reports.post("/staff/proposals/<int:proposal>/decline")
@for_staff(*WORKERS)
def decline(proposal: int) -> Response:
    """The second word: no; or one's own proposal taken back."""
    why = request.form.get("why", "")
    return go_to("reports.card", code=review.decline(doors().line, signed_in(), proposal, why).precinct)


def _decide(code: str, why: str) -> None:
    line, session = doors().line, signed_in()
    match request.form.get("what"):
        case "accept" | "reopen" as what:
            review.propose(line, session, Wanted(what, code, _version(), why))
        case "reject":
            review.reject(line, session, code, _version(), why)
        case "unreject":
            review.reopen_rejected(line, session, code, _version(), why)
        case "call-back":
            review.call_back(line, session, code, _version())
        case _:
            raise FormRefused("Choose what to do.")


def _card(found: Card, problem: str = "", status: int = 200) -> Response:
    contest, why = doors().line.contest, request.form.get("why", "")
    return page("console/report.html", status, card=found, grid=grid(found, contest), problem=problem, why=why)


def _correction(found: Card, given: dict[str, str], why: str, problem: str, status: int = 200) -> Response:
    if found.current is None:
        raise NotFound(f"{found.precinct.code} has no report that could be corrected.")
    contest = doors().line.contest
    stands = values_of(contest, found.current.worksheet)
    values = {field: given.get(field, str(value)) for field, value in stands.items()}
    return page("console/correct.html", status, card=found, stands=stands, values=values, why=why, problem=problem)


def _is_asked(each: Waiting, asked: dict[str, str]) -> bool:
    words = f"{each.precinct.code} {each.precinct.name} {each.precinct.spoken} {each.precinct.county}".lower()
    return (
        asked["search"].lower() in words
        and asked["county"] in ("", each.precinct.county)
        and (asked["rule"] == "" or asked["rule"] in each.report.rules)
        and (asked["state"] == "" or (asked["state"] == "proposed") == (each.proposal is not None))
    )


def _version() -> int:
    """The version the person was looking at."""
    given = request.form.get("version", "")
    if not given.isdigit() or len(given) > 4:
        raise FormRefused("The form does not say which version it is about. Load the report again.")
    return int(given)
