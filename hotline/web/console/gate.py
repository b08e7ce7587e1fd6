"""Who is asking: the session behind the cookie, what its role may do, and whether a form is one of ours.

The browser holds a random token and nothing else. Every form carries a mark made from that token; before anybody is
signed in, one made from a cookie of its own.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from typing import cast

from flask import Response, g, request

from hotline.errors import NotPermitted, SignInWanted
from hotline.events.staff import Role
from hotline.store.staff import SESSION, Session
from hotline.web.doors import doors

COOKIE, FORM_COOKIE = "__Host-staff", "__Host-form"
"""`__Host-`: the browser takes them over HTTPS (or on this machine) only, for this very host, for every path."""
SECRET_DIGITS = 64
ON_THE_WAY_IN = ("sign_in.password_form", "sign_in.choose", "sign_in.sign_out")
"""What somebody may do whose password was given to them."""


def admit(roles: Collection[Role]) -> None:
    """Let a request for staff through, its session in `g.session`; one that changes something must be our form's.

    Raises `SignInWanted` or `NotPermitted`.
    """
    session = doors().line.staff.session(request.cookies.get(COOKIE, ""))
    if session is None:
        raise SignInWanted("Sign in first.")
    g.session, g.is_rehearsal = session, doors().line.roster.is_rehearsal()
    if request.method not in ("GET", "HEAD"):
        check_form(session.token)
    if session.is_given and request.endpoint not in ON_THE_WAY_IN:
        raise NotPermitted("Choose a password of your own first.")
    if session.role not in roles:
        raise NotPermitted(f"This is not for the role {session.role}.")


def signed_in() -> Session:
    """Whoever asks, on a route for staff."""
    return cast(Session, g.session)


def remember(response: Response, session: Session) -> Response:
    """Give the browser its token."""
    _set(response, COOKIE, session.token, int(SESSION.total_seconds()))
    return response


def forget(response: Response) -> Response:
    """Take the token back."""
    response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="Strict")
    return response


def form_secret() -> str:
    """What a form is marked with before anybody is signed in: the browser's own, or a new one."""
    held = request.cookies.get(FORM_COOKIE, "")
    return held if len(held) == SECRET_DIGITS else doors().line.clock.token(SECRET_DIGITS // 2)


def remember_form(response: Response, secret: str) -> Response:
    """Give the browser the secret of its sign-in form."""
    _set(response, FORM_COOKIE, secret, None)
    return response


def form_mark(secret: str) -> str:
    """The mark a form carries so that no other site can send it."""
    return hmac.digest(secret.encode(), b"hotline form", hashlib.sha256).hex()


def check_form(secret: str) -> None:
    """Raise `NotPermitted` unless the form carries the mark."""
    given = request.form.get("form", "")
    if not secret or not hmac.compare_digest(given.encode(), form_mark(secret).encode()):
        raise NotPermitted("This form is out of date. Go back, load the page again and repeat what you did.")


def _set(response: Response, name: str, value: str, seconds: int | None) -> None:
    response.set_cookie(name, value, max_age=seconds, path="/", secure=True, httponly=True, samesite="Strict")
