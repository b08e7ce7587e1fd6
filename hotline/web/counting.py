"""Counts what comes in and how it is answered, and has the carrier's requests logged.

Routes are counted by name: nothing a request holds becomes a count. Every turn of every call pays for this, so what can
be looked up once is looked up once.
"""

from __future__ import annotations

from typing import cast

from flask import Flask, Request, Response, current_app, g, request

from hotline.clock import Clock
from hotline.store.request_counts import RequestCounts
from hotline.web import journal
from hotline.web.access import access_of

EXTENSION = "hotline counts"


def install(app: Flask, counts: RequestCounts, clock: Clock) -> None:
    """Have every request of the application counted. To be said when all routes are known, before any request."""
    app.extensions[EXTENSION] = counts
    now = clock.monotonic
    signed = {route for route in routes_of(app) if access_of(app, route) == "signed_by_twilio"}

    def begin() -> None:
        g.began = now()

    def count(response: Response) -> Response:
        asked: Request = request._get_current_object()  # type: ignore[attr-defined] # each word to the proxy costs 1 µs
        route, status = asked.endpoint, response.status_code
        seconds = now() - g.began
        counts.took(route, status, seconds)
        if route in signed:
            _of_a_call(counts, status, asked.query_string)
            journal.tell(asked, status, seconds)
        return response

    app.before_request_funcs.setdefault(None, []).insert(0, begin)
    app.after_request(count)


def _of_a_call(counts: RequestCounts, status: int, query: bytes) -> None:
    if status == 403:
        counts.forged()
    if b"held=" in query:
        counts.held()
    if "is_apology" in g:
        counts.apologised()


def counts() -> RequestCounts:
    """What this process counts in."""
    return cast(RequestCounts, current_app.extensions[EXTENSION])


def routes_of(app: Flask) -> list[str]:
    """The names of all routes."""
    return sorted({rule.endpoint for rule in app.url_map.iter_rules()})
