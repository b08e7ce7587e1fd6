"""Flagged calls: the queue by risk, one call with all that is known of it, and what staff say of it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from hotline.errors import FormRefused
from hotline.services import blocking, caller_card, flagged
from hotline.services.flagged import WORDS, CallCard
from hotline.services.review import read_reason
from hotline.store.call_records import Asked
from hotline.telephone_numbers import read_number
from hotline.web.access import for_staff
from hotline.web.console.gate import signed_in
from hotline.web.console.pages import ALL, ON_A_PAGE, WORKERS, go_to, page, page_number, part_at
from hotline.web.doors import doors

flagged_calls = Blueprint("calls_of_staff", __name__)


@flagged_calls.get("/staff/calls")
@for_staff(*ALL)
def queue() -> Response:
    """The calls that wait to be looked at, the riskiest first; or those that were decided, the last first."""
    return _queue(request.args.get("number", ""))


@flagged_calls.get("/staff/calls/<call>")
@for_staff(*ALL)
def card(call: str) -> Response:
    """One call."""
    return _card(flagged.card(doors().line, call))


@flagged_calls.post("/staff/calls/<call>/claim")
@for_staff(*WORKERS)
def claim(call: str) -> Response:
    """Take the call for five minutes, or give it back."""
    line, staff, subject = doors().line, signed_in().staff, flagged.subject(call)
    flagged.card(line, call)
    if request.form.get("claim") == "release":
        line.reviews.release(subject, staff)
    else:
        line.reviews.claim(subject, staff)
    return go_to("calls_of_staff.card", call=call)


@flagged_calls.post("/staff/calls/<call>/judge")
@for_staff(*WORKERS)
def judge(call: str) -> Response:
    """What the call was; then the next one that waits."""
    found, word = flagged.card(doors().line, call), request.form.get("word", "")
    try:
        if word not in WORDS:
            raise FormRefused("Choose what the call was.")
        flagged.judge(doors().line, signed_in(), call, word, request.form.get("why", ""))
    except FormRefused as refused:
        return _card(found, str(refused), refused.status)
    return go_to("calls_of_staff.card", call=call)


@flagged_calls.post("/staff/calls/<call>/undo")
@for_staff(*WORKERS)
def undo(call: str) -> Response:
    """The word is taken back."""
    found = flagged.card(doors().line, call)
    try:
        flagged.undo(doors().line, signed_in(), call, request.form.get("why", ""))
    except FormRefused as refused:
        return _card(found, str(refused), refused.status)
    return go_to("calls_of_staff.card", call=call)


@flagged_calls.post("/staff/calls/<call>/block")
@for_staff(*WORKERS)
def block(call: str) -> Response:
    """The caller's number is refused from its next ring on, for some minutes; or let in again."""
    line, staff, found = doors().line, signed_in().staff, flagged.card(doors().line, call)
    number = line.callers.number_of(call)
    try:
        why = read_reason(request.form.get("why", ""))
        if request.form.get("block") == "lift":
            blocking.unblock(line, number, why=why, by=staff)
        else:
            blocking.block(line, number, minutes=minutes(), why=why, by=staff)
    except FormRefused as refused:
        return _card(found, str(refused), refused.status)
    return go_to("calls_of_staff.card", call=call)


@flagged_calls.post("/staff/calls/<call>/reveal")
@for_staff(*WORKERS)
def reveal(call: str) -> Response:
    """The whole number, once, with the reason on record."""
    line, found = doors().line, flagged.card(doors().line, call)
    try:
        number = caller_card.reveal(line, call, why=request.form.get("why", ""), by=signed_in().staff)
    except FormRefused as refused:
        return _card(found, str(refused), refused.status)
    return _card(found, number=number)


def minutes() -> int:
    """How long a block is to last, as the form says."""
    given = request.form.get("minutes", "")
    if not (given.isascii() and given.isdigit() and len(given) < 6):
        raise FormRefused("Say for how many minutes.")
    return int(given)


def _queue(number: str) -> Response:
    line, problem = doors().line, ""
    asked = {name: request.args.get(name, "").strip() for name in ("reason", "precinct", "called", "state")}
    wanted = number.strip()
    if wanted:
        reading = read_number(wanted)
        wanted, problem = reading.number, f"{wanted} {reading.problem}" if reading.problem else ""
    rows, total = line.calls.flagged(Asked(number=wanted, **asked), page_number() * ON_A_PAGE, ON_A_PAGE)
    return page(
        "console/calls.html",
        422 if problem else 200,
        rows=part_at([] if problem else rows, 0 if problem else total),
        asked={**asked, "number": number.strip()},
        problem=problem,
        reasons=line.calls.reasons(),
        ours=line.settings.numbers,
        claims=line.reviews.claims([flagged.subject(each.sid) for each in rows]) if rows else {},
    )


def _card(found: CallCard, problem: str = "", status: int = 200, number: str = "") -> Response:
    return page(
        "console/call.html",
        status,
        card=found,
        problem=problem,
        number=number,
        why=request.form.get("why", ""),
        words=WORDS,
        longest=blocking.longest(doors().line),
    )
