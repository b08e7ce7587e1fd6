"""The one place that builds the web application: routes, guards, errors, headers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask, Response

from hotline.services import call_backs as call_backs_of_the_line
from hotline.services import intake as calls_of_the_line
from hotline.services import publication as results_of_the_line
from hotline.services.line import Line
from hotline.services.publication import Night
from hotline.store.request_counts import RequestCounts
from hotline.telephony.inbound import LARGEST_BODY
from hotline.telephony.signature import verifier
from hotline.telephony.twiml import apology
from hotline.web import access, counting, errors
from hotline.web.console.audit import audit
from hotline.web.console.callers import callers
from hotline.web.console.calls import flagged_calls
from hotline.web.console.precincts import precincts
from hotline.web.console.reports import reports
from hotline.web.console.sign_in import sign_in
from hotline.web.console.words import WHAT, told
from hotline.web.doors import EXTENSION, Doors, Intake, Publication
from hotline.web.editions import Editions
from hotline.web.health import health
from hotline.web.metrics import metrics
from hotline.web.ops import ops
from hotline.web.proxies import BehindProxies
from hotline.web.results import results
from hotline.web.seal import seal
from hotline.web.tables import spoken_time
from hotline.web.voice import calls, notices

CONSOLE_PAGES = (sign_in, flagged_calls, reports, precincts, callers, audit)

POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
OPEN_PAGES = f"{POLICY}; form-action 'none'"
CONSOLE = f"{POLICY}; form-action 'self'; script-src 'self'; connect-src 'self'"
"""The console has forms, and one small script of our own: none in a page, so that no text in it can become one."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_app(
    line: Line,
    intake: Intake = calls_of_the_line,
    publication: Publication = results_of_the_line,
    counts_in: Path | None = None,
) -> Flask:
    """The application for an open line, its requests counted in a folder where other processes count theirs.

    Raises SetupError when a route does not declare its access.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    # A redirect to the tidied address would be signed for one address and checked against another.
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.extensions[EXTENSION] = _doors(line, intake, publication)
    for blueprint in (calls, notices, health, metrics, ops, results, seal, *CONSOLE_PAGES):
        app.register_blueprint(blueprint)
    app.before_request(access.guard)
    app.after_request(_with_headers)
    app.jinja_env.filters.update(instant=spoken_time, told=told, what=WHAT.__getitem__)
    errors.install(app)
    counting.install(app, RequestCounts(counting.routes_of(app), counts_in), line.clock)
    access.check_declared(app)
    if line.settings.proxies:
        app.wsgi_app = BehindProxies(app.wsgi_app, line.settings.proxies)  # type: ignore[method-assign] # Flask's own way
    return app


def _doors(line: Line, intake: Intake, publication: Publication) -> Doors:
    settings = line.settings
    tokens = (settings.auth_token or "", settings.auth_token_secondary or "")
    return Doors(
        line=line,
        intake=intake,
        call_backs=call_backs_of_the_line,
        publication=publication,
        editions=Editions(lambda: _newest(line, publication), line.clock),
        verifier=verifier(settings.public_base_url, tokens),
        account=settings.account_sid or "",
        apologies={each: apology(line.prompts, settings.staff_numbers, each) for each in line.prompts},
    )


def _newest(line: Line, publication: Publication) -> tuple[Night, Mapping[str, Any]]:
    night = publication.night(line)
    return night, publication.results_of(line.contest, night)


def _with_headers(response: Response) -> Response:
    """Nothing is cached unless its view says so; pages run no script of others and sit in no frame."""
    response.headers.extend(HEADERS)
    response.headers["Content-Security-Policy"] = CONSOLE if errors.is_console() else OPEN_PAGES
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response
