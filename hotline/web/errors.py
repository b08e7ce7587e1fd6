"""Errors as responses. Where a caller listens the answer is words; nowhere is it a traceback.

A refused or unreadable request keeps its status. For a call nobody here answered (404) the carrier turns to the
fallback address, which always speaks; the body says the same for whoever runs it. A bug of ours is answered 200 with
the apology: any other status might leave the caller with silence.
What a request names is quoted in the log, so that no address writes lines of its own there.
"""

from __future__ import annotations

import logging

from flask import Flask, Response, g, jsonify, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from hotline.errors import HotlineError, SignInWanted
from hotline.telephony.speech import FIRST_LANGUAGE
from hotline.web.console.pages import page
from hotline.web.doors import doors
from hotline.web.voice import TWIML, language

log = logging.getLogger(__name__)


def install(app: Flask) -> None:
    """Have every error answered here."""
    app.register_error_handler(SignInWanted, _at_the_door)
    app.register_error_handler(HotlineError, _mended_by_people)
    app.register_error_handler(HTTPException, _of_http)
    app.register_error_handler(Exception, _of_ours)


def is_console() -> bool:
    """Whether the request is for a page of the console."""
    return request.path == "/staff" or request.path.startswith(("/staff/", "/ops/"))


def _at_the_door(error: SignInWanted) -> Response:
    """Whoever only looks is shown the way in, and brought back afterwards; what was to be changed is not changed."""
    if request.method not in ("GET", "HEAD"):
        return _plain(error.status, str(error))
    way = redirect(url_for("sign_in.form", next=request.full_path.rstrip("?")), 303)
    assert isinstance(way, Response)
    return way


def _mended_by_people(error: HotlineError) -> Response:
    """A bad request keeps its status. What the line itself could not do is ours."""
    if error.status >= 500:
        return _of_ours(error)
    log.warning("%s %r: %d %s", request.method, request.path, error.status, error)
    if error.status != 403 and _has_caller():
        return Response(_apology(), status=error.status, mimetype=TWIML)
    return _plain(error.status, str(error))


def _of_http(error: HTTPException) -> Response:
    """Wrong address, wrong method, too much of a body: the status, with its headers, and one line of JSON."""
    response = _plain(error.code or 500, error.name)
    allowed = error.get_response().headers.get("Allow")
    if allowed:
        response.headers["Allow"] = allowed
    return response


def _of_ours(error: Exception) -> Response:
    """Logged with the call's id. A caller hears the apology and the way to a person."""
    log.error("%s %r failed in call %r", request.method, request.path, _call_id(), exc_info=error)
    if _has_caller():
        g.is_apology = True
        return Response(_apology(), mimetype=TWIML)
    return _plain(503, "The line could not do this just now. Ask again.")


def _apology() -> str:
    apologies = doors().apologies
    return apologies.get(language()) or apologies[FIRST_LANGUAGE]


def _has_caller() -> bool:
    return request.blueprint == "calls"


def _call_id() -> str:
    return ",".join(g.get("form", {}).get("CallSid", ("unknown",)))


def _plain(status: int, message: str) -> Response:
    """One line of JSON, a type the carrier never reads aloud; for a reader of the results, and for staff, a page."""
    if is_console():
        back = request.path.rpartition("/")[0] if request.method == "POST" else ""
        return page("console/message.html", status, title=message, back=back)
    if request.blueprint == "results" and request.accept_mimetypes.accept_html:
        return Response(render_template("message.html", title=message), status=status, mimetype="text/html")
    response = jsonify(error=message)
    response.status_code = status
    return response
