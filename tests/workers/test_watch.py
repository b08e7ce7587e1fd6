"""The watch runs beside the relay: it raises what it sees, tells people, and goes on whatever happens."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

from hotline.errors import NotRecorded
from hotline.services import paging, watching
from hotline.services.line import Line
from hotline.store.leading import Leading
from tests.workers.test_relay import eventually
from workers import jobs, watch


@contextmanager
def running(line: Line, part: object = watch.run) -> Iterator[None]:
    """The watch, looking twenty times a second while the block lasts; it ends when it is told to."""
    stopping = threading.Event()
    thread = threading.Thread(target=part, args=(line, stopping, 0.05))  # type: ignore[arg-type]
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join(10)
        assert not thread.is_alive()


def standing(line: Line) -> set[str]:
    return {alert.kind for alert in line.alerts.standing()}


def test_a_line_without_workers_says_so(line: Line, connection: redis.Redis) -> None:
    """Within a second or two of the first look."""
    with running(line):
        eventually(lambda: "no-worker" in standing(line), 10)


@pytest.mark.parametrize("trouble", [NotRecorded("gone"), RuntimeError("a bug of ours")])
def test_a_look_that_fails_is_logged_and_followed_by_another(
    line: Line,
    connection: redis.Redis,
    trouble: Exception,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    look, left = watching.Watch.look, [trouble]

    def fail_once(self: watching.Watch) -> None:
        if left:
            raise left.pop()
        look(self)

    monkeypatch.setattr(watching.Watch, "look", fail_once)
    with running(line):
        eventually(lambda: "no-worker" in standing(line), 10)
    assert str(trouble) in caplog.text


def test_of_several_one_watches(line: Line, connection: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another leads nothing is looked at; then it is."""
    looked = threading.Event()
    monkeypatch.setattr(watching.Watch, "look", lambda _: looked.set())
    other = Leading(line.ledger.engine, "watch")
    assert other.is_ours()
    with running(line):
        assert not looked.wait(0.5)
        other.give_up()
        assert looked.wait(5)


def test_people_are_told_of_what_stands(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """At an address of theirs, though no telephone is named."""
    told: list[str] = []
    monkeypatch.setattr(paging, "_post", lambda url, message: told.append(f"{url} {message['text']}"))
    monkeypatch.setattr(jobs, "carrier", lambda: None)
    object.__setattr__(line.settings, "alert_url", "https://hooks.example/x")
    line.alerts.raise_once("disk", "The disk is full")
    with running(line, watch.tell):
        eventually(lambda: told != [], 10)
    assert [f"https://hooks.example/x {line.contest.title}: 1 alert. The disk is full."] == told
