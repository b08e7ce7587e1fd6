"""This machine's side of the go-live check, on a real database, Valkey and web server: each wrong set-up by name."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
import redis

from hotline.clock import Clock
from hotline.services.line import Line, open_line
from hotline.services.preflight import Check
from hotline.services.preflight_line import LineSide, secrets
from hotline.services.sealing import seals_of
from hotline.settings import load
from hotline.store import embedded, queues
from hotline.store.outbox import Job
from hotline.store.queue_health import workers_heard
from hotline.web.app import create_app
from tests.lines import SECRETS
from tests.services.callers import WHOLE, signed_in

OURS, STAFF, PUBLIC = "+15155550199", "+15155550188", "https://line.example"
READY = {"HOTLINE_NUMBERS": [OURS], "HOTLINE_STAFF_NUMBERS": [STAFF], "HOTLINE_CAPACITY": 200}


class Quiet(WSGIRequestHandler):
    """The server's own log is not the test's."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


def opened(database: Path, folder: Path, **settings: Any) -> Line:
    """A line on a copy of the prepared database."""
    if not (folder / "hotline.db").exists():
        shutil.copy(database, folder / "hotline.db")
    return open_line(load({}, **{"HOTLINE_DATA": folder, "PUBLIC_BASE_URL": PUBLIC, **READY, **SECRETS, **settings}))


@pytest.fixture
def line(database: Path, tmp_path: Path) -> Iterator[Line]:
    """A line that lacks nothing but PINs, numbers on file, workers and a second place for the seal."""
    open_ = opened(database, tmp_path)
    for name in ("ana", "ben"):
        open_.staff.add(name, "supervisor", "test")
    seals_of(open_).seal()
    yield open_
    open_.ledger.engine.dispose()


def checked(line: Line, url: str | None) -> dict[str, Check]:
    return {each.name: each for each in LineSide(line, url).checks()}


def test_each_check_that_can_pass_on_one_machine_passes(
    line: Line, valkey: embedded.Embedded, connection: redis.Redis
) -> None:
    """What is left are the PINs and workers nobody made yet, and the address nobody serves; as said of each."""
    found = checked(line, valkey.url)
    wanting = {name: each.status for name, each in found.items() if each.status != "pass"}
    assert wanting == {
        "workers": "fail",
        "pins": "fail",
        "numbers on file": "warn",
        "seal": "warn",
        "signature": "fail",
    }
    assert all(each.fix for each in found.values() if each.status != "pass")
    assert "1,765 precincts have no PIN" in found["pins"].detail
    assert "line.example/messages/incoming cannot be reached" in found["signature"].detail


def test_two_workers_at_work_are_seen(line: Line, valkey: embedded.Embedded, connection: redis.Redis) -> None:
    """One that has not said for a minute that it is there is not counted."""
    workers = [queues.worker(valkey.url, name) for name in ("one", "two")]
    for each in workers:
        each.register_birth()
    assert checked(line, valkey.url)["workers"].detail == "2 workers are at work"
    assert workers_heard(connection, line.clock.now() + timedelta(seconds=61)) == 0


def test_redis_that_is_away_or_forgets_is_told(line: Line, running: Any, tmp_path: Path) -> None:
    """No address, nobody there, and one that throws jobs away when memory is short: three different words."""
    assert "REDIS_URL is not set" in checked(line, None)["redis"].detail
    server = embedded.in_folder(tmp_path, tmp_path)
    assert "does not answer" in checked(line, server.url)["redis"].detail
    with running(server):
        redis.Redis(unix_socket_path=str(server.socket), protocol=2).config_set("maxmemory-policy", "allkeys-lru")
        assert "maxmemory-policy is allkeys-lru" in checked(line, server.url)["redis"].detail


def test_rehearsal_is_no_line_to_go_live_with(line: Line) -> None:
    line.roster.mark_rehearsal()
    found = checked(line, None)["contest"]
    assert (found.status, "holds a rehearsal's" in found.detail) == ("fail", True)


def test_disk_that_fills_up_is_told_before_it_is_full(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """A warning under a fifth, a failure under a gibibyte."""
    gib = 1 << 30
    for free, status in ((100 * gib, "pass"), (15 * gib, "warn"), (gib // 2, "fail")):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: shutil._ntuple_diskusage(100 * gib, 0, free))  # type: ignore[attr-defined]
        assert checked(line, None)["disk"].status == status


def test_jobs_nobody_does_are_told(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report is worked out within seconds when relay and workers run; a job put aside waits for a person."""
    (packet,) = line.pins.issue([next(iter(line.contest.precincts))])
    signed_in(line, packet.precinct, packet.pin).keys("1", *WHOLE, "1")
    assert checked(line, None)["jobs"].status == "pass"
    later = line.clock.now() + timedelta(minutes=2)
    monkeypatch.setattr(Clock, "now", lambda _: later)
    assert "1 jobs are open, the oldest for 12" in checked(line, None)["jobs"].detail
    job: Job = line.outbox.pending()[0]
    line.outbox.bury(job, "ValueError: no")
    assert "1 jobs failed every time" in checked(line, None)["jobs"].detail


def test_events_nobody_seals_are_told(line: Line) -> None:
    """The relay seals each second; what is behind shows that it does not run."""
    line.pins.issue(["00013"])
    signed_in(line, "00013", "00000000")
    assert "events are not sealed yet" in checked(line, None)["seal"].detail


@pytest.mark.parametrize(
    ("settings", "name", "detail"),
    [
        ({"PUBLIC_BASE_URL": "http://127.0.0.1:8080"}, "public address", "which the carrier cannot reach"),
        ({"PUBLIC_BASE_URL": "http://line.example"}, "public address", "is not https"),
        ({"HOTLINE_NUMBERS": ""}, "own numbers", "HOTLINE_NUMBERS is empty"),
        ({"HOTLINE_CAPACITY": 0}, "own numbers", "HOTLINE_CAPACITY is not set"),
        ({"HOTLINE_STAFF_NUMBERS": ""}, "people", "a caller who needs a person is promised a call-back"),
        ({}, "people", "0 supervisors have an account"),
    ],
)
def test_wrong_setting_is_told_apart(
    database: Path, tmp_path: Path, settings: dict[str, Any], name: str, detail: str
) -> None:
    """What it is, and what to set."""
    line = opened(database, tmp_path, **settings)
    found = checked(line, None)[name]
    line.ledger.engine.dispose()
    assert found.status != "pass"
    assert detail in found.detail
    assert found.fix


def test_secret_that_is_missing_is_named() -> None:
    without = {name: value for name, value in SECRETS.items() if name != "HOTLINE_PEPPER"}
    found = secrets(load({}, **without))
    assert (found.status, found.detail) == ("fail", "Not set: HOTLINE_PEPPER")
    assert secrets(load({}, **SECRETS)).status == "pass"


def test_signature_is_tried_on_the_line_itself(database: Path, tmp_path: Path) -> None:
    """Right through the server: ours passes and a forged one does not; a line with another token is found out."""
    with make_server("127.0.0.1", 0, lambda *_: [], handler_class=Quiet) as server:
        base = f"http://127.0.0.1:{server.server_address[1]}"
        line = opened(database, tmp_path, PUBLIC_BASE_URL=base)
        server.set_app(create_app(line))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        assert checked(line, None)["signature"].status == "pass"
        other = opened(database, tmp_path, PUBLIC_BASE_URL=base, TWILIO_AUTH_TOKEN="f" * 32)
        found = checked(other, None)["signature"]
        server.shutdown()
        thread.join()
    for each in (line, other):
        each.ledger.engine.dispose()
    assert found.status == "fail"
    assert f"{base}/messages/incoming answered 403 to our signature" in found.detail
