"""The console's pages on a whole night: 50,000 calls, half of them flagged, and every precinct's report on SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask

from hotline.clock import Clock
from hotline.services.line import Line
from hotline.services.tabulation import tabulate
from hotline.store.text import dump, instant
from hotline.web.app import create_app
from tests.lines import line_on, prepared_database
from tests.services.reports import confirm, iowa
from tests.store.held import HeldClock
from tests.web.console.desks import Desk, seated

pytestmark = pytest.mark.storm
CALLS, NUMBERS = 50_000, 6_000
LIMIT = 10
"""Loops of a million a page may cost; one takes some 30 ms where the budget of 300 ms is meant."""
TARGET = "00013"
"""The precinct every tenth caller tries: its page is the fullest."""


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    folder = tmp_path_factory.mktemp("night")
    opened = line_on(prepared_database(tmp_path_factory.mktemp("prepared")), folder, HeldClock())
    fill(opened)
    yield opened
    opened.ledger.engine.dispose()


def fill(line: Line) -> None:
    """The night: its calls put straight into the tables, its reports through the ledger and the tabulation."""
    began, calls, events, flags, attempts = line.clock.now() - timedelta(hours=8), [], [], [], []
    codes = list(line.contest.precincts)
    for n in range(CALLS):
        at, sid = instant(began + timedelta(milliseconds=500 * n)), f"CA{n:032x}"
        code, score = TARGET if n % 10 == 0 else codes[n % len(codes)], n % 97
        calls.append(
            (sid, f"+1515{n % NUMBERS:07}", "+15155550000", at, 4, "{}", "", "", "completed", 40, at, "+1515555")
        )
        screened = {"decision": "challenge" if n % 2 else "admit", "lane": "unknown", "score": score, "parts": {}}
        screened |= {"reasons": ["AB-04"], "policy": "1", "flags": [], "told": ""}
        failed = {"precinct": code, "reason": "wrong-pin", "pattern": ""}
        ended = {"status": "completed", "state": "code", "seconds": 40}
        events += [(at, sid, "", "CallScreened", dump(screened)), (at, sid, code, "SignInFailed", dump(failed))]
        events.append((at, sid, "", "CallEnded", dump(ended)))
        attempts.append((sid, 1, code, False, at, "refused", "", f"{n % NUMBERS:032x}"))
        if n % 2:
            flags.append((sid, at, score, " AB-04 wrong-pin "))
    with line.ledger.engine.begin() as connection:
        for sql, rows in (
            (f"INSERT INTO calls VALUES ({', '.join('?' * 12)})", calls),
            ("INSERT INTO events (at, call, precinct, kind, body) VALUES (?, ?, ?, ?, ?)", events),
            ("INSERT INTO flags (call, at, risk, reasons, word, why, by) VALUES (?, ?, ?, ?, '', '', '')", flags),
            (
                "INSERT INTO pin_attempts (call, turn, precinct, registered, at, outcome, again_at, caller)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                attempts,
            ),
        ):
            connection.exec_driver_sql(sql, rows)
    for code, sheet in iowa(line).items():
        confirm(line, code, sheet)
        tabulate(line, code)


@pytest.fixture(scope="module")
def app(line: Line) -> Flask:
    return create_app(line)


@pytest.fixture(scope="module")
def desk(app: Flask, line: Line) -> Desk:
    return seated(app, line, "ana", "supervisor")


@pytest.mark.parametrize(
    "path",
    [
        "/staff/calls",
        "/staff/calls?page=400",
        "/staff/calls?reason=wrong-pin",
        f"/staff/calls?precinct={TARGET}",
        "/staff/calls?number=%2B15150000001",
        f"/staff/calls/CA{49_991:032x}",
        "/staff/reports",
        "/staff/reports?rule=COLUMN_SHIFT&search=a",
        "/staff/reports/15338",
        f"/staff/reports/{TARGET}",
        "/staff/precincts",
        "/staff/precincts?status=outstanding",
        f"/staff/precincts/{TARGET}",
        "/staff/callers",
        "/staff/audit",
        "/staff/audit?by=ana",
    ],
)
def test_page_is_made_in_time(desk: Desk, path: str) -> None:
    """19 of 20 within 300 ms of a processor as fast as the one the budget is for; one half as fast may take twice."""
    clock, taken = Clock(), []
    allowed = LIMIT * min(_loop(clock) for _ in range(3))
    for _ in range(20):
        began = clock.processor()
        assert desk.get(path).status_code == 200
        taken.append(clock.processor() - began)
    assert sorted(taken)[18] <= allowed, f"{path}: {1000 * sorted(taken)[18]:.0f} ms of {1000 * allowed:.0f}"


def _loop(clock: Clock) -> float:
    """Seconds of the processor that a loop of a million takes."""
    began, total = clock.processor(), 0
    for n in range(1_000_000):
        total += n
    return clock.processor() - began
