"""Callers: the blocks that stand, one number with all that is known of it, and what staff do about it.

A number is sent in a form, never in an address: addresses are remembered in too many places.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from hotline.errors import FormRefused
from hotline.services import blocking, caller_card, marking
from hotline.services.review import read_reason
from hotline.web.access import for_staff
from hotline.web.console.calls import minutes
from hotline.web.console.gate import signed_in
from hotline.web.console.pages import ALL, WORKERS, go_to, page
from hotline.web.doors import doors

callers = Blueprint("callers", __name__)


@callers.get("/staff/callers")
@for_staff(*ALL)
def blocks() -> Response:
    """The blocks that stand, and the way to one number."""
    return _blocks("")


@callers.post("/staff/callers/lift")
@for_staff(*WORKERS)
def lift() -> Response:
    """Let a number in again, from the list."""
    try:
        why = read_reason(request.form.get("why", ""))
    except FormRefused as refused:
        return _blocks(str(refused), refused.status)
    blocking.lift(doors().line, request.form.get("key", ""), why=why, by=signed_in().staff)
    return go_to("callers.blocks")


@callers.post("/staff/callers/number")
@for_staff(*ALL)
def number() -> Response:
    """One number."""
    try:
        found = caller_card.read(request.form.get("number", ""))
    except FormRefused as refused:
        return _blocks(str(refused), refused.status)
    return _card(found)


@callers.post("/staff/callers/act")
@for_staff(*WORKERS)
def act() -> Response:
    """Block it, let it in again, or say what it is used for."""
    try:
        found = caller_card.read(request.form.get("number", ""))
    except FormRefused as refused:
        return _blocks(str(refused), refused.status)
    try:
        _act(found, read_reason(request.form.get("why", "")))
    except FormRefused as refused:
        return _card(found, str(refused), refused.status)
    return _card(found)


def _act(number: str, why: str) -> None:
    line, staff = doors().line, signed_in().staff
    match request.form.get("act"):
        case "block":
            blocking.block(line, number, minutes=minutes(), why=why, by=staff)
        case "unblock":
            blocking.unblock(line, number, why=why, by=staff)
        case "prank" | "abusive" | "genuine" as word:
            marking.mark(line, number, word, why=why, by=staff)
        case _:
            raise FormRefused("Choose what to do.")


def _card(number: str, problem: str = "", status: int = 200) -> Response:
    line = doors().line
    card, longest = caller_card.card(line, number), blocking.longest(line)
    why = request.form.get("why", "") if problem else ""
    return page("console/caller.html", status, card=card, problem=problem, why=why, longest=longest)


def _blocks(problem: str, status: int = 200) -> Response:
    return page("console/callers.html", status, blocks=doors().line.blocks.standing(), problem=problem)
