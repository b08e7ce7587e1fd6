"""What every page of the console shares: who is signed in, the mark of its forms, where one may go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Response, g, render_template, request, url_for

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


PLACES: tuple[Place, ...] = (Place("sign_in.welcome", "Desk", ALL),)


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
