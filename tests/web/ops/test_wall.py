"""The wall shows what the ledger holds, to staff and nobody else, and renews itself."""

from __future__ import annotations

import re
from html import unescape
from typing import get_args

import pytest
from flask import Flask

from hotline.events.staff import Role
from hotline.services import tabulation
from hotline.services.expected import REPORTING
from hotline.services.line import Line
from hotline.web.ops import Tile
from tests.services.callers import Caller, sid
from tests.services.reports import confirm, worksheet
from tests.store.held import HeldClock
from tests.web.console.desks import seated


def figures(page: str) -> dict[str, str]:
    """The big figures by their names."""
    found = re.findall(r"<dt>(.*?)</dt>\s*<dd><strong>(.*?)</strong>", page, re.S)
    return {re.sub(r"<span.*?</span>|<[^>]+>", "", name).strip(): value for name, value in found}


def tiles(page: str) -> dict[str, str]:
    found = re.findall(r'<span class="name">(.*?)</span> <span class="count">(.*?)</span>', page)
    return {unescape(name): count for name, count in found}


@pytest.mark.parametrize("role", get_args(Role))
def test_every_role_may_look(role: Role, app: Flask, line: Line) -> None:
    """There is nothing on it to be done, and nothing about a person."""
    desk = seated(app, line, "ana", role)
    answer = desk.get("/ops/")
    assert answer.status_code == 200
    assert 'aria-current="page">Wall' in answer.text
    assert desk.get("/ops/figures").status_code == 200


@pytest.mark.parametrize("path", ["/ops/", "/ops/figures"])
def test_nobody_else_may(path: str, app: Flask) -> None:
    """They are shown the door of the console."""
    answer = app.test_client().get(path)
    assert (303, True) == (answer.status_code, "/staff/sign-in" in answer.headers["Location"])


def test_figures_are_the_ledgers(app: Flask, line: Line) -> None:
    """Two calls, one of them over; a report counted and one held; an alert, and an attack."""
    caller = Caller(line, sid(1))
    caller.ring()
    caller.hang_up(seconds=12)
    Caller(line, sid(2), "+15155550777").ring()
    confirm(line, "00013", worksheet())
    confirm(line, "00021", worksheet("00021", first={"Yang": 100}))
    for code in ("00013", "00021"):
        tabulation.tabulate(line, code)
    line.alerts.raise_once("disk", "The disk <b>is full</b>")
    line.conditions.set_state("attack", by="ana", why="a test")
    page = seated(app, line, "ana", "viewer").get("/ops/figures").text
    shown = figures(page)
    assert ("2", "1", "2", "0 %") == tuple(shown[name] for name in ("Reported", "Held", "Calls a minute", "Completed"))
    assert "Under attack" in page
    assert "The disk &lt;b&gt;is full&lt;/b&gt;" in page
    county = line.contest.precincts["00013"].county
    total = sum(each.county == county for each in line.contest.precincts.values())
    assert f"2/{total}" == tiles(page)[county]
    assert set(line.contest.counties) | set(line.contest.pools) == set(tiles(page))
    assert "+1515555" not in page


def test_a_quiet_line_has_no_alert(app: Flask, line: Line) -> None:
    page = seated(app, line, "ana", "viewer").get("/ops/").text
    assert "No alert stands." in page
    assert ("0", "–", "–") == tuple(figures(page)[name] for name in ("Reported", "Completed", "Workers"))


def test_a_county_far_behind_is_told_in_words(app: Flask, line: Line, clock: HeldClock) -> None:
    """Two hours after the caucuses nearly everybody is due; nobody has reported."""
    assert line.contest.hours is None, "lines of tests keep no hours"
    page = seated(app, line, "ana", "viewer").get("/ops/figures").text
    assert "▲" not in page
    assert "late" == Tile("Polk", 177, 79, 0, int(177 * 0.9)).state
    assert "" == Tile("Polk", 177, 80, 0, int(177 * 0.9)).state
    assert "done" == Tile("Polk", 177, 177, 3, 159).state
    assert REPORTING.total_seconds() == 5400


def test_the_wall_runs_our_own_script_alone(app: Flask, line: Line) -> None:
    """It asks our own host for figures, every three seconds."""
    desk = seated(app, line, "ana", "viewer")
    policy = desk.get("/ops/").headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "connect-src 'self'" in policy
    script = app.test_client().get("/static/wall.js")
    assert "const EVERY = 3000;" in script.text
    assert "text/css" in app.test_client().get("/static/wall.css").content_type
