"""Who may use a route. Every route says so, or the application does not start; no switch turns a check off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from flask import Flask, current_app, g, request

from hotline.errors import RequestRefused, RequestUnreadable, SetupError
from hotline.events.staff import Role
from hotline.telephony import inbound
from hotline.telephony.signature import HEADER
from hotline.web.console import gate
from hotline.web.doors import doors
from hotline.web.proxies import FORWARDED, is_among

Access = Literal["signed_by_twilio", "open", "listed"] | frozenset[Role]
"""The carrier; anybody; machines at addresses that are listed; or staff whose role is one of these."""
View = TypeVar("View", bound=Callable[..., Any])

_ATTRIBUTE = "hotline_access"


def signed_by_twilio(view: View) -> View:
    """The route answers our carrier alone."""
    return _declared(view, "signed_by_twilio")


def open_to_all(view: View) -> View:
    """The route answers anybody, and shows nothing about a person."""
    return _declared(view, "open")


def for_machines(view: View) -> View:
    """The route answers the addresses HOTLINE_METRICS_FROM lists, and nothing that came by a proxy."""
    return _declared(view, "listed")


def for_staff(*roles: Role) -> Callable[[View], View]:
    """The route answers staff who are signed in, in one of these roles; one that changes something, our forms alone."""
    return lambda view: _declared(view, frozenset(roles))


def access_of(app: Flask, endpoint: str) -> Access | None:
    """What a route declared; None when it declared nothing."""
    return getattr(app.view_functions[endpoint], _ATTRIBUTE, None)


def check_declared(app: Flask) -> None:
    """Stop the start when a route does not say who may use it."""
    undeclared = [rule.rule for rule in app.url_map.iter_rules() if access_of(app, rule.endpoint) is None]
    if undeclared:
        raise SetupError(f"these routes do not declare who may use them: {', '.join(undeclared)}")


def guard() -> None:
    """Runs before every view. The carrier's form is left in `g.form`, a staff member's session in `g.session`."""
    access = access_of(current_app, request.endpoint) if request.endpoint else None
    if access == "signed_by_twilio":
        g.form = _verified_form()
    elif access == "listed":
        _check_address()
    elif isinstance(access, frozenset):
        gate.admit(access)


def _check_address() -> None:
    """Behind a proxy everybody may seem to come from this very machine, so what it passes on is refused."""
    is_listed = is_among(request.remote_addr or "", doors().line.settings.metrics_from)
    if not is_listed or any(name in request.environ for name in FORWARDED):
        raise RequestRefused("this address is not one of HOTLINE_METRICS_FROM, or the request came by a proxy")


def _verified_form() -> inbound.Form:
    """The form once its signature, then its account, have been checked. A form that cannot be read was not signed."""
    signature = request.headers.get(HEADER)
    if not signature:
        raise RequestRefused(f"{HEADER} is missing")
    body = request.get_data(cache=False)
    try:
        form = inbound.read_form(body)
    except RequestUnreadable as unreadable:
        raise RequestRefused(str(unreadable)) from unreadable
    query = request.query_string.decode("ascii", "surrogateescape")
    if not doors().verifier.is_ours(request.path, query, form, signature):
        raise RequestRefused(f"{HEADER} does not match: is PUBLIC_BASE_URL the address the carrier calls?")
    inbound.check_account(form, doors().account)
    return form


def _declared(view: View, access: Access) -> View:
    setattr(view, _ATTRIBUTE, access)
    return view
