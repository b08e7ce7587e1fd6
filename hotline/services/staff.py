"""Staff at the door: signing in with a password and a code, choosing a password, signing out."""

from __future__ import annotations

from hotline.errors import FormRefused, SignInRefused, TooManyTries
from hotline.services.line import Line
from hotline.store.credentials import LONGEST_PASSWORD, SHORTEST_PASSWORD
from hotline.store.staff import WINDOW, Session

SHORTEST_NAME = 4
"""Letters of a name that is looked for in a password; a shorter one stands in many words."""


def sign_in(line: Line, name: str, password: str, code: str, address: str) -> Session:
    """A session for whoever knows a name, its password and the code of this half minute.

    Raises `TooManyTries` before anything is judged, and `SignInRefused` without saying which of the three was wrong.
    """
    name, code = name.strip().lower(), "".join(code.split())
    attempt = line.staff.reserve(name, address)
    if attempt is None:
        raise TooManyTries(f"Too many tries. Wait {WINDOW.seconds // 60} minutes, or ask for hotline staff reset.")
    if not line.staff.judge(name, password[:LONGEST_PASSWORD], code):
        raise SignInRefused("Name, password or code is wrong. A code is good for one sign-in: wait for the next.")
    return line.staff.open_session(name, attempt, address)


def choose_password(line: Line, session: Session, password: str, again: str) -> None:
    """Take a password of the person's own. Raises `FormRefused` saying what is wrong with it."""
    if password != again:
        raise FormRefused("The two are not the same.")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise FormRefused(f"Take {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; several words do well.")
    if len(session.staff) >= SHORTEST_NAME and session.staff in password.lower():
        raise FormRefused("Leave your name out of it.")
    line.staff.choose_password(session, password)
