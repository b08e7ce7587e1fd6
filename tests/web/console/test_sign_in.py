"""Signing in: password and code, each code once, few tries, sessions that can be ended, forms of our own only."""

from __future__ import annotations

import pytest
from flask import Flask

from hotline.errors import SetupError
from hotline.events.staff import StaffAdded, StaffDisabled, StaffPasswordChanged, StaffSignedIn, StaffSignedOut
from hotline.services.line import Line
from hotline.store.staff import ADDRESS, PAIR
from hotline.web.console import gate
from tests.store.held import HeldClock
from tests.web.console.desks import PASSWORD, Desk, code_for, knock, seated


def test_there_is_no_account_until_one_is_made(app: Flask, line: Line) -> None:
    """No name, whatever password, gets in."""
    assert line.staff.listed() == []
    assert knock(app, "admin", "admin", "000000").status_code == 401


def test_given_password_is_good_for_choosing_another_and_nothing_else(app: Flask, line: Line) -> None:
    """The first page after it is the one to choose; every other refuses until then."""
    made = line.staff.add("annika", "supervisor", "root")
    desk = Desk("annika", app.test_client())
    first = knock(app, "Annika ", made.password, code_for(line, made.secret), desk.client)
    assert (first.status_code, first.location) == (303, "/staff/password")
    assert desk.get("/staff").status_code == 403
    assert "not the same" in desk.post("/staff/password", password=PASSWORD, again="else").text
    assert desk.post("/staff/password", password="short", again="short").status_code == 422
    assert desk.post("/staff/password", password="Annika supervises", again="Annika supervises").status_code == 422
    assert desk.post("/staff/password", password=PASSWORD, again=PASSWORD).location == "/staff"
    assert "Good evening, annika" in desk.get("/staff").text


def test_code_is_taken_once(app: Flask, line: Line, clock: HeldClock) -> None:
    """Whoever looks over a shoulder comes too late, also with the code before; the next one is good."""
    desk = seated(app, line, "ana", "agent")
    code = code_for(line, desk.secret)
    assert knock(app, "ana", PASSWORD, code).status_code == 401
    clock.move(seconds=30)
    fresh = code_for(line, desk.secret)
    assert knock(app, "ana", PASSWORD, f"{fresh[:3]} {fresh[3:]}").status_code == 303
    assert knock(app, "ana", PASSWORD, code_for(line, desk.secret, -1)).status_code == 401


@pytest.mark.parametrize("later", [-2, 2])
def test_code_of_another_time_is_none(app: Flask, line: Line, later: int, clock: HeldClock) -> None:
    """A clock may be half a minute off, no more."""
    desk = seated(app, line, "ana", "agent")
    clock.move(minutes=5)
    assert knock(app, "ana", PASSWORD, code_for(line, desk.secret, later)).status_code == 401


def test_wrong_password_and_wrong_code_are_told_in_the_same_words(app: Flask, line: Line, clock: HeldClock) -> None:
    """Neither is an unknown name told apart."""
    desk = seated(app, line, "ana", "agent")
    clock.move(minutes=1)
    code = code_for(line, desk.secret)
    said = [
        knock(app, *given).text.partition('role="alert">')[2].partition("<")[0]
        for given in (("ana", "wrong", code), ("ana", PASSWORD, "000000"), ("nobody", PASSWORD, code))
    ]
    assert len(set(said)) == 1
    assert said[0].startswith("Name, password or code is wrong")


def test_after_five_wrong_tries_none_is_judged(app: Flask, line: Line, clock: HeldClock) -> None:
    """Not even the right one, for a quarter of an hour; a colleague at the same address gets in."""
    desk = seated(app, line, "ana", "agent")
    seated(app, line, "ben", "agent")
    clock.move(minutes=1)
    statuses = [knock(app, "ana", "wrong", "000000").status_code for _ in range(PAIR)]
    assert statuses == [401] * PAIR
    assert knock(app, "ana", PASSWORD, code_for(line, desk.secret)).status_code == 429
    assert knock(app, "ben", "wrong", "000000").status_code == 401
    clock.move(minutes=15, seconds=1)
    assert knock(app, "ana", PASSWORD, code_for(line, desk.secret)).status_code == 303


def test_guessing_from_elsewhere_leaves_the_colleague_in(app: Flask, line: Line, clock: HeldClock) -> None:
    """Another address is another pair."""
    desk = seated(app, line, "ana", "agent")
    clock.move(minutes=1)
    assert [line.staff.reserve("ana", "203.0.113.9") is None for _ in range(PAIR + 1)] == [False] * PAIR + [True]
    assert knock(app, "ana", PASSWORD, code_for(line, desk.secret)).status_code == 303


def test_address_that_tries_many_names_is_stopped(line: Line) -> None:
    """Spraying one password over names ends too."""
    tries = [line.staff.reserve(f"name{number}", "203.0.113.9") for number in range(ADDRESS + 1)]
    assert [each is None for each in tries] == [False] * ADDRESS + [True]


def test_session_ends_after_eight_hours(app: Flask, line: Line, clock: HeldClock) -> None:
    """Whoever looks afterwards is shown the way in, and back to where they were."""
    desk = seated(app, line, "ana", "agent")
    clock.move(hours=7, minutes=59)
    assert desk.get("/staff").status_code == 200
    clock.move(minutes=1)
    back = desk.get("/staff/password?x=1")
    assert (back.status_code, back.location) == (303, "/staff/sign-in?next=/staff/password?x%3D1")


def test_closing_an_account_ends_its_sessions_at_once(app: Flask, line: Line, clock: HeldClock) -> None:
    """And nobody signs in with it until it is reset; then the old password is dead."""
    desk = seated(app, line, "ana", "agent")
    line.staff.disable("ana", "root")
    assert desk.get("/staff").status_code == 303
    clock.move(minutes=1)
    assert knock(app, "ana", PASSWORD, code_for(line, desk.secret)).status_code == 401
    made = line.staff.reset("ana", "root")
    assert knock(app, "ana", PASSWORD, code_for(line, made.secret)).status_code == 401
    assert knock(app, "ana", made.password, code_for(line, made.secret)).location == "/staff/password"


def test_signing_out_ends_the_session_for_whoever_kept_the_cookie(app: Flask, line: Line) -> None:
    """The browser forgets it, and so does the line."""
    desk = seated(app, line, "ana", "agent")
    cookie = desk.client.get_cookie(gate.COOKIE)
    assert cookie
    assert desk.post("/staff/sign-out").location == "/staff/sign-in"
    assert desk.client.get_cookie(gate.COOKIE) is None
    desk.client.set_cookie(gate.COOKIE, cookie.value)
    assert desk.get("/staff").status_code == 303


def test_a_new_password_ends_the_other_sessions(app: Flask, line: Line, clock: HeldClock) -> None:
    """The one it was chosen in goes on."""
    desk = seated(app, line, "ana", "agent")
    clock.move(minutes=1)
    other = Desk("ana", app.test_client())
    knock(app, "ana", PASSWORD, code_for(line, desk.secret), other.client)
    assert other.post("/staff/password", password=f"{PASSWORD}!", again=f"{PASSWORD}!").status_code == 303
    assert (desk.get("/staff").status_code, other.get("/staff").status_code) == (303, 200)


def test_cookie_is_out_of_reach(app: Flask, line: Line) -> None:
    """For scripts, other sites and plain HTTP; what is kept of it opens nothing."""
    made = line.staff.add("ana", "agent", "root")
    header = knock(app, "ana", made.password, code_for(line, made.secret)).headers["Set-Cookie"]
    assert header.startswith("__Host-staff=")
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in header.split(";")}
    token = header.partition("=")[2].partition(";")[0]
    with line.ledger.engine.connect() as connection:
        kept = str(connection.exec_driver_sql("SELECT * FROM staff_sessions").all())
    assert token not in kept


def test_form_of_another_site_is_refused(app: Flask, line: Line) -> None:
    """The cookie alone changes nothing, at the door or behind it."""
    desk = seated(app, line, "ana", "agent")
    assert desk.client.post("/staff/sign-out").status_code == 403
    assert desk.client.post("/staff/sign-out", data={"form": "0" * 64}).status_code == 403
    assert desk.get("/staff").status_code == 200
    assert app.test_client().post("/staff/sign-in", data={"name": "ana"}).status_code == 403


@pytest.mark.parametrize(
    ("wanted", "goes"),
    [
        ("/staff/password", "/staff/password"),
        ("/ops/", "/ops/"),
        ("//evil.example", "/staff"),
        ("https://evil.example/staff/", "/staff"),
        ("/staff//evil.example", "/staff"),
        ("/staff/\\evil", "/staff"),
        ("/staff/\r\nX: y", "/staff"),
    ],
)
def test_sign_in_leads_to_our_own_pages_only(app: Flask, line: Line, clock: HeldClock, wanted: str, goes: str) -> None:
    """Where somebody is sent afterwards is no other site's choice."""
    desk = seated(app, line, "ana", "agent")
    clock.move(minutes=1)
    client = app.test_client()
    client.get("/staff/sign-in")
    cookie = client.get_cookie(gate.FORM_COOKIE)
    assert cookie
    fields = {"name": "ana", "password": PASSWORD, "code": code_for(line, desk.secret), "next": wanted}
    sent = client.post("/staff/sign-in", data={"form": gate.form_mark(cookie.value), **fields})
    assert sent.location == goes


def test_everything_is_on_record_and_no_secret_is(app: Flask, line: Line) -> None:
    """Who made an account, who signed in, who closed it; no password, secret, code or address."""
    desk = seated(app, line, "ana", "agent")
    desk.post("/staff/sign-out")
    line.staff.disable("ana", "root")
    kept = [each.event for each in line.ledger.events()]
    assert [type(each) for each in kept] == [
        StaffAdded, StaffSignedIn, StaffPasswordChanged, StaffSignedOut, StaffDisabled,
    ]  # fmt: skip
    with line.ledger.engine.connect() as connection:
        stored = "".join(str(connection.exec_driver_sql(f"SELECT * FROM {t}").all()) for t in ("events", "staff"))
    assert [secret for secret in (desk.secret, PASSWORD, "127.0.0.1") if secret in stored] == []


def test_account_names_are_plain_and_one_s_own(line: Line) -> None:
    """A name that is taken or odd makes no account."""
    line.staff.add("ana", "agent", "root")
    for name in ("ana", "Ana", "a", "<script>", "ana ", "1ana"):
        with pytest.raises(SetupError):
            line.staff.add(name, "agent", "root")
    with pytest.raises(SetupError, match="no account"):
        line.staff.disable("ben", "root")
    assert [each.name for each in line.staff.listed()] == ["ana"]
