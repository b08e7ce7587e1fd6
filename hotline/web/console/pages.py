"""What every page of the console shares: who is signed in, the mark of its forms, where one may go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from flask import Response, g, redirect, render_template, request, url_for

from hotline.events.staff import ROLES, Role
from hotline.store.staff import Session
from hotline.web.console.gate import form_mark
from hotline.web.doors import doors

ALL: tuple[Role, ...] = ROLES
WORKERS: tuple[Role, ...] = ("agent", "supervisor")
APPROVERS: tuple[Role, ...] = ("supervisor",)
"""Who may give the second word. Anybody who works may give the first."""
AUDITORS: tuple[Role, ...] = ("supervisor", "auditor", "admin")


@dataclass(frozen=True)
class Place:
    """A page in the menu: its endpoint, its name, and who may see it."""

    endpoint: str
    name: str
    roles: tuple[Role, ...]


PLACES: tuple[Place, ...] = (
    Place("sign_in.welcome", "Desk", ALL),
    Place("ops.wall", "Wall", ALL),
    Place("calls_of_staff.queue", "Flagged calls", ALL),
    Place("reports.queue", "Held reports", ALL),
    Place("precincts.search", "Precincts", ALL),
    Place("callers.blocks", "Callers", ALL),
    Place("audit.acts", "Audit", AUDITORS),
)

ON_A_PAGE = 50
T = TypeVar("T")


@dataclass(frozen=True)
class Part(Generic[T]):
    """The rows of one page of a list; `before` and `after` are the pages beside it, None at the ends."""

    rows: Sequence[T]
    total: int
    before: int | None
    after: int | None


def part_of(found: Sequence[T]) -> Part[T]:
    """The page of a list that the request asks for; one that is none is the first."""
    number, last = page_number(), max(0, (len(found) - 1) // ON_A_PAGE)
    number = min(number, last)
    rows = found[number * ON_A_PAGE : (number + 1) * ON_A_PAGE]
    return Part(rows, len(found), number - 1 if number else None, number + 1 if number < last else None)


def part_at(rows: Sequence[T], total: int) -> Part[T]:
    """The page asked for of a list that was read page by page."""
    number = page_number()
    after = number + 1 if (number + 1) * ON_A_PAGE < total else None
    return Part(rows, total, number - 1 if number else None, after)


def page_number() -> int:
    """The page asked for, from 0."""
    given = request.args.get("page", "0")
    return int(given) if given.isdigit() and len(given) < 7 else 0


def go_to(endpoint: str, **values: Any) -> Response:
    """After something was done: to a page that shows it."""
    response = redirect(url_for(endpoint, **values), 303)
    assert isinstance(response, Response)
    return response


def page(template: str, status: int = 200, **values: Any) -> Response:
    """A page of the console."""
    session: Session | None = g.get("session")
    shared = {
        "session": session,
        "form": form_mark(session.token) if session else "",
        "places": [
            (url_for(each.endpoint), each.name, (request.blueprint or "") == each.endpoint.partition(".")[0])
            for each in PLACES
            if session and session.role in each.roles and not session.is_given
        ],
        "contest": doors().line.contest,
        "is_rehearsal": g.get("is_rehearsal", False),
    }
    return Response(render_template(template, **shared, **values), status=status, mimetype="text/html")
