"""What machines read: only from where the settings allow, well named, bounded, and counting what happened."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from hotline.errors import NotRecorded
from hotline.practice.signer import HEADER, sign
from hotline.services.line import Line
from hotline.web.app import create_app
from tests.lines import ACCOUNT, BASE, TOKEN, line_on, prepared_database

NUMBER, SID = "+15155550123", "CA" + "0c" * 16


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def line(database: Path, tmp_path: Path) -> Iterator[Line]:
    opened = line_on(database, tmp_path, HOTLINE_METRICS_FROM="127.0.0.1 10.1.0.0/16", HOTLINE_PROXIES="10.9.9.9")
    yield opened
    opened.ledger.engine.dispose()


@pytest.fixture
def app(line: Line) -> Flask:
    return create_app(line)


def call(client: FlaskClient, path: str = "/voice/answer", token: str = TOKEN, **more: str) -> int:
    """One request of the carrier, or of somebody who has not its token."""
    fields = {"CallSid": SID, "AccountSid": ACCOUNT, "From": NUMBER, "To": "+15155550199", "Digits": "", **more}
    headers = {HEADER: sign(token, BASE + path, list(fields.items()))}
    return client.post(path, data=fields, headers=headers).status_code


def figures(app: Flask) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Everything on the page, by name and labels."""
    text = app.test_client().get("/metrics").text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(found: dict[tuple[str, frozenset[tuple[str, str]]], float], name: str, **labels: str) -> float | None:
    return found.get((f"hotline_{name}", frozenset(labels.items())))


def test_requests_are_counted_by_route_and_status(app: Flask) -> None:
    """A call, a forged one, one held, and what no route answers."""
    client = app.test_client()
    assert 200 == call(client)
    assert 403 == call(client, token="x" * 32)
    assert 200 == call(client, "/voice/turn/1?held=1")
    assert 404 == client.get("/nowhere").status_code
    found = figures(app)
    assert (1, 1) == tuple(value(found, "requests_total", route="calls.answer", status=s) for s in ("2xx", "4xx"))
    assert 1 == value(found, "requests_total", route="other", status="4xx")
    assert (1, 1, 0) == tuple(
        value(found, f"{name}_total") for name in ("forged_requests", "held_requests", "apologies")
    )
    assert 2 == value(found, "request_duration_seconds_count", route="calls.answer")
    assert 1 == value(found, "live_calls")
    assert 1 == value(found, "calls_per_minute", lane="unknown", decision="admit")


def test_an_apology_is_counted_though_its_status_is_200(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def bug(*given: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("hotline.services.intake.screen", bug)
    assert 200 == call(app.test_client())
    assert 1 == value(figures(app), "apologies_total")


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("10.1.2.3", {}, 200),
        ("::ffff:10.1.2.3", {}, 200),
        ("10.2.0.1", {}, 403),
        ("203.0.113.9", {}, 403),
        ("", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("127.0.0.1", {"Forwarded": "for=127.0.0.1"}, 403),
        ("127.0.0.1", {"Via": "1.1 Caddy"}, 403),
        ("10.9.9.9", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("203.0.113.9", {"X-Forwarded-For": "127.0.0.1"}, 403),
    ],
)
def test_who_may_read_it(app: Flask, address: str, headers: dict[str, str], status: int) -> None:
    """Listed addresses; nobody through a proxy, which may well stand on this very machine."""
    answer = app.test_client().get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": address})
    assert status == answer.status_code


def test_without_the_database_the_page_says_so(app: Flask, line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of requests are still there."""

    def away(*given: object) -> None:
        raise NotRecorded("gone")

    monkeypatch.setattr("hotline.services.monitoring.gauges", away)
    found = figures(app)
    assert (0, None) == (value(found, "sql_up"), value(found, "live_calls"))
    assert value(found, "forged_requests_total") == 0


def test_no_number_and_no_call_is_in_it(app: Flask) -> None:
    """Whatever was keyed, labels are words of ours."""
    client = app.test_client()
    call(client)
    call(client, "/voice/turn/1", Digits="12345")
    call(client, f"/voice/turn/{NUMBER}")
    text = client.get("/metrics").text
    assert [] == [word for word in (NUMBER[1:], SID, '"12345"') if word in text]
    assert text.count("\n") < 2_000


@pytest.mark.outside
def test_promtool_finds_nothing_to_say(app: Flask) -> None:
    """Names, units and help as Prometheus wants them."""
    promtool = shutil.which("promtool")
    assert promtool, "promtool comes with Debian's prometheus"
    call(app.test_client())
    said = subprocess.run(
        [promtool, "check", "metrics"],
        input=app.test_client().get("/metrics").text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "", "") == (said.returncode, said.stdout, said.stderr)
