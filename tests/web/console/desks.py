"""Staff at the console: accounts made, signed in, and a client each that sends our own forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from pyotp import TOTP
from werkzeug.test import TestResponse

from hotline.services.line import Line
from hotline.store.credentials import STEP_SECONDS
from hotline.web.console import gate

PASSWORD = "seven purple kettles sing"


@dataclass
class Desk:
    """Somebody signed in, at a browser of their own."""

    name: str
    client: FlaskClient
    secret: str = ""

    @property
    def form(self) -> str:
        """The mark of this session's forms."""
        cookie = self.client.get_cookie(gate.COOKIE)
        return gate.form_mark(cookie.value) if cookie else ""

    def get(self, path: str) -> TestResponse:
        return self.client.get(path)

    def post(self, path: str, **fields: Any) -> TestResponse:
        return self.client.post(path, data={"form": self.form, **fields})


def code_for(line: Line, secret: str, later: int = 0) -> str:
    """The app's six digits now, or so many half minutes later."""
    return TOTP(secret).generate_otp(int(line.clock.now().timestamp()) // STEP_SECONDS + later)


def knock(app: Flask, name: str, password: str, code: str, client: FlaskClient | None = None) -> TestResponse:
    """Fill in the sign-in form as a browser would."""
    client = client or app.test_client()
    client.get("/staff/sign-in")
    cookie = client.get_cookie(gate.FORM_COOKIE)
    assert cookie
    fields = {"form": gate.form_mark(cookie.value), "name": name, "password": password, "code": code}
    return client.post("/staff/sign-in", data=fields)


def seated(app: Flask, line: Line, name: str, role: Any) -> Desk:
    """A new account, its first sign-in and its own password behind it."""
    made = line.staff.add(name, role, "root")
    desk = Desk(name, app.test_client(), made.secret)
    assert knock(app, name, made.password, code_for(line, made.secret), desk.client).status_code == 303
    assert desk.post("/staff/password", password=PASSWORD, again=PASSWORD).status_code == 303
    return desk
