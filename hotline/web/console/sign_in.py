"""Signing in and out, and choosing a password."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for

from hotline.errors import FormRefused, SignInRefused, TooManyTries
from hotline.services import staff
from hotline.web.access import for_staff, open_to_all
from hotline.web.console import gate
from hotline.web.console.pages import ALL, go_to, page
from hotline.web.doors import doors

sign_in = Blueprint("sign_in", __name__)


@sign_in.get("/staff")
@for_staff(*ALL)
def welcome() -> Response:
    """Where one starts: what waits for people, and the shortcuts of every page."""
    return page("console/welcome.html")


@sign_in.get("/staff/sign-in")
@open_to_all
def form() -> Response:
    """The door."""
    return _form("")


@sign_in.post("/staff/sign-in")
@open_to_all
def enter() -> Response:
    """Name, password and code."""
    gate.check_form(request.cookies.get(gate.FORM_COOKIE, ""))
    name, password, code = (request.form.get(field, "") for field in ("name", "password", "code"))
    try:
        session = staff.sign_in(doors().line, name, password, code, request.remote_addr or "")
    except (SignInRefused, TooManyTries) as refused:
        return _form(str(refused), refused.status)
    target = "sign_in.password_form" if session.is_given else None
    return gate.remember(_redirect(url_for(target) if target else onward(request.form.get("next", ""))), session)


@sign_in.get("/staff/password")
@for_staff(*ALL)
def password_form() -> Response:
    """Choosing a password of one's own."""
    return page("console/password.html", problem="")


@sign_in.post("/staff/password")
@for_staff(*ALL)
def choose() -> Response:
    """The password chosen, twice."""
    try:
        staff.choose_password(
            doors().line, gate.signed_in(), request.form.get("password", ""), request.form.get("again", "")
        )
    except FormRefused as refused:
        return page("console/password.html", refused.status, problem=str(refused))
    return go_to("sign_in.welcome")


@sign_in.post("/staff/sign-out")
@for_staff(*ALL)
def sign_out() -> Response:
    """The session ends here and now."""
    doors().line.staff.close_session(gate.signed_in())
    return gate.forget(go_to("sign_in.form"))


def onward(wanted: str) -> str:
    """Where a person was going before the sign-in: a page of the console or the wall, and nothing else."""
    is_ours = (
        wanted.startswith(("/staff/", "/ops/")) and "//" not in wanted and "\\" not in wanted and wanted.isprintable()
    )
    return wanted if is_ours else url_for("sign_in.welcome")


def _form(problem: str, status: int = 200) -> Response:
    secret, wanted = gate.form_secret(), request.values.get("next", "")
    response = page("console/sign_in.html", status, problem=problem, mark=gate.form_mark(secret), wanted=wanted)
    return gate.remember_form(response, secret)


def _redirect(address: str) -> Response:
    response = redirect(address, 303)
    assert isinstance(response, Response)
    return response
