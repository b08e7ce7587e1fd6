"""Every confirmed report reaches a worker, whatever dies on the way."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
import redis

from hotline.clock import Clock
from hotline.services import publication
from hotline.services.line import Line
from hotline.store import queues
from hotline.store.embedded import Embedded
from hotline.store.outbox import Outbox
from tests.services.reports import confirm, worksheet
from workers import jobs, relay, sweep


class Later(Clock):
    """A clock that is ahead of the one the rows were written with."""

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=31)


def later(line: Line) -> Outbox:
    """The outbox as it looks half a minute on."""
    return Outbox(line.ledger.engine, Later())


def burst(valkey: Embedded) -> None:
    queues.worker(valkey.url, "burst").work(burst=True, logging_level="CRITICAL")


def status(line: Line, code: str = "00013") -> str:
    return publication.night(line).outcomes[code].status


@pytest.mark.parametrize("name", [jobs.TABULATE])
def test_every_job_is_queued_by_a_name_that_resolves(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert callable(getattr(importlib.import_module(module), function))


def test_a_confirmed_report_is_tabulated_by_a_worker(line: Line, connection: redis.Redis, valkey: Embedded) -> None:
    confirm(line, "00013", worksheet())
    assert relay.relay(line.outbox, connection) == 1
    burst(valkey)
    assert status(line) == "counted"
    assert line.outbox.backlog().depth == 0


def test_the_job_carries_precinct_version_and_seq_and_nothing_else(line: Line, connection: redis.Redis) -> None:
    confirm(line, "00013", worksheet())
    relay.relay(line.outbox, connection)
    job = queues.queue("tabulate", connection).jobs[0]
    assert (job.id, job.func_name, job.args, job.kwargs) == ("tab-00013-1-1", "workers.jobs.tabulate", ["00013"], {})


def test_a_relay_that_dies_before_it_marks_its_rows_queues_no_job_twice(line: Line, connection: redis.Redis) -> None:
    confirm(line, "00013", worksheet())
    for each in line.outbox.pending():
        queues.place(connection, "tabulate", each.job, jobs.TABULATE, [each.precinct])
    assert relay.relay(line.outbox, connection) == 1
    assert queues.depths(connection)["tabulate"] == 1


def test_two_relays_at_once_queue_each_job_once(line: Line, connection: redis.Redis, valkey: Embedded) -> None:
    for code in list(line.contest.precincts)[:20]:
        confirm(line, code, worksheet())
    both = [threading.Thread(target=relay.relay, args=(line.outbox, queues.client(valkey.url))) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert queues.depths(connection)["tabulate"] == 20
    assert line.outbox.pending() == []


def test_while_redis_is_away_the_rows_stay(line: Line) -> None:
    confirm(line, "00013", worksheet())
    with pytest.raises(queues.Unreachable):
        relay.relay(line.outbox, queues.client("unix:///nowhere/valkey.sock"))
    assert [each.job for each in line.outbox.pending()] == ["tab-00013-1-1"]


def test_a_wiped_redis_gets_every_unacknowledged_job_again(
    line: Line, connection: redis.Redis, valkey: Embedded
) -> None:
    confirm(line, "00013", worksheet())
    relay.relay(line.outbox, connection)
    connection.flushall()
    assert sweep.sweep(line.outbox, connection, line.clock) == 0  # nothing is stale yet
    assert sweep.sweep(later(line), connection, Later()) == 1
    burst(valkey)
    assert status(line) == "counted"
    assert sweep.sweep(later(line), connection, Later()) == 0


def test_a_job_that_only_waits_is_left_alone_by_the_sweep(line: Line, connection: redis.Redis) -> None:
    confirm(line, "00013", worksheet())
    relay.relay(line.outbox, connection)
    assert sweep.sweep(later(line), connection, Later()) == 0
    assert queues.depths(connection)["tabulate"] == 1


def test_a_failing_job_is_tried_again_and_does_not_hold_up_the_others(
    line: Line, connection: redis.Redis, valkey: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirm(line, "00013", worksheet())
    confirm(line, "00021", worksheet("00021", first={"Yang": 100}))
    relay.relay(line.outbox, connection)
    work = jobs.tabulation.tabulate

    def fail_at_first(opened: Line, precinct: str) -> str:
        if precinct == "00013":
            raise RuntimeError("the first of them")
        return work(opened, precinct)

    monkeypatch.setattr("workers.jobs.tabulation.tabulate", fail_at_first)
    burst(valkey)
    assert (status(line, "00013"), status(line, "00021")) == ("outstanding", "held")
    monkeypatch.setattr("workers.jobs.tabulation.tabulate", work)
    time.sleep(1.1)
    queues.Retries(valkey.url, "relay").run()
    burst(valkey)
    assert status(line, "00013") == "counted"


def test_the_relay_hands_over_within_a_second_and_stops_when_told(
    line: Line, connection: redis.Redis, valkey: Embedded
) -> None:
    stopping = threading.Event()
    thread = threading.Thread(target=relay.run, args=(line, valkey.url, "relay", stopping))
    thread.start()
    try:
        confirm(line, "00013", worksheet())
        eventually(lambda: queues.depths(connection)["tabulate"] == 1, 2)
    finally:
        stopping.set()
        thread.join(5)
    assert not thread.is_alive()


def test_the_relay_waits_out_a_redis_that_is_away(line: Line, caplog: pytest.LogCaptureFixture) -> None:
    stopping = threading.Event()
    thread = threading.Thread(target=relay.run, args=(line, "unix:///nowhere/valkey.sock", "relay", stopping))
    confirm(line, "00013", worksheet())
    thread.start()
    try:
        eventually(lambda: "the outbox keeps its rows" in caplog.text, 3)
    finally:
        stopping.set()
        thread.join(5)
    assert not thread.is_alive()
    assert len(line.outbox.pending()) == 1


def eventually(holds: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
