"""Call-backs and notices on their way from the ledger to the carrier, through a real queue."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from hotline.events.verification import CallBackPlaced, CallBackRequested, NoticeWanted
from hotline.services import outgoing
from hotline.services.line import Line
from hotline.store import queues
from hotline.store.embedded import Embedded
from hotline.store.outbox import Outbox
from hotline.telephony.outbound import CarrierBusy
from tests.lines import line_on
from tests.services.numbered import CHAIR, CODE, OURS, Ringing
from tests.workers.test_relay import Later, burst
from workers import jobs, relay, sweep
from workers.calling import Calling


@pytest.fixture
def numbered(
    database: Path, tmp_path: Path, valkey: Embedded, monkeypatch: pytest.MonkeyPatch, connection: redis.Redis
) -> Iterator[Line]:
    """A line with a number of its own to call from."""
    opened = line_on(database, tmp_path, REDIS_URL=valkey.url, HOTLINE_NUMBERS=OURS)
    opened.roster.register_number(CHAIR, CODE, "chair")
    monkeypatch.setattr(jobs, "line", lambda: opened)
    yield opened
    opened.ledger.engine.dispose()


@pytest.fixture
def carrier(monkeypatch: pytest.MonkeyPatch) -> Ringing:
    carrier = Ringing()
    monkeypatch.setattr(jobs, "carrier", lambda: carrier)
    return carrier


def placed(line: Line) -> list[str]:
    return [each.event.precinct for each in line.ledger.events() if isinstance(each.event, CallBackPlaced)]


def test_a_call_back_that_is_due_is_made_once(
    numbered: Line, carrier: Ringing, connection: redis.Redis, valkey: Embedded
) -> None:
    """However often the relay looks, before and after the worker."""
    numbered.ledger.append([CallBackRequested(CODE, "limit")])
    calling = Calling(numbered, connection)
    assert [calling.run(), calling.run()] == [1, 0]
    burst(valkey)
    assert calling.run() == 0
    burst(valkey)
    assert [number for number, *_ in carrier.called] == [CHAIR]
    assert placed(numbered) == [CODE]


def test_one_is_queued_at_a_time(numbered: Line, carrier: Ringing, connection: redis.Redis) -> None:
    """The relay comes by once a second, and the carrier makes one call a second."""
    numbered.ledger.append([CallBackRequested(code, "limit") for code in list(numbered.contest.precincts)[:3]])
    assert Calling(numbered, connection).run() == 1
    assert queues.depths(connection)["notify"] == 1


def test_a_call_back_lost_with_redis_is_queued_again(
    numbered: Line, carrier: Ringing, connection: redis.Redis, valkey: Embedded
) -> None:
    """It is due until somebody has called."""
    numbered.ledger.append([CallBackRequested(CODE, "limit")])
    Calling(numbered, connection).run()
    connection.flushall()
    assert Calling(numbered, connection).run() == 1
    burst(valkey)
    assert len(carrier.called) == 1


def test_a_busy_carrier_is_asked_again_later(
    numbered: Line, carrier: Ringing, connection: redis.Redis, valkey: Embedded
) -> None:
    """By the queue's own patience, not once a second."""
    carrier.trouble = CarrierBusy("too much at once")
    numbered.ledger.append([CallBackRequested(CODE, "limit")])
    calling = Calling(numbered, connection)
    calling.run()
    burst(valkey)
    assert calling.run() == 0
    (job,) = queues.queue("notify", connection).scheduled_job_registry.get_job_ids()
    assert job == "back-1"
    assert [each.id for each in numbered.call_backs.waiting()] == [1]


def test_without_a_number_of_ours_call_backs_wait_and_the_log_says_so_once(
    line: Line, connection: redis.Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A practice line calls nobody."""
    monkeypatch.setattr(jobs, "carrier", lambda: outgoing.carrier_of(line))
    line.ledger.append([CallBackRequested(CODE, "limit")])
    calling = Calling(line, connection)
    with caplog.at_level(logging.WARNING):
        assert [calling.run(), calling.run()] == [0, 0]
    assert [record.message for record in caplog.records] == [f"call-back 1 for {CODE} waits: {outgoing.NO_NUMBER}"]
    assert jobs.call_back(1) == "waiting"
    assert [each.precinct for each in line.call_backs.waiting()] == [CODE]


def test_a_notice_is_sent_by_a_worker(
    numbered: Line, carrier: Ringing, connection: redis.Redis, valkey: Embedded
) -> None:
    """Lost from the queue, it is swept up like any job."""
    numbered.ledger.append([NoticeWanted(CODE, "failures-elsewhere")])
    relay.relay(numbered.outbox, connection)
    assert queues.depths(connection)["notify"] == 1
    connection.flushall()
    assert sweep.sweep(Outbox(numbered.ledger.engine, Later()), connection, Later()) == 1
    burst(valkey)
    assert [number for number, _ in carrier.told] == [CHAIR]
    assert numbered.outbox.backlog().depth == 0


def test_a_rehearsal_calls_nobody_whatever_is_set(numbered: Line) -> None:
    """Its numbers on file are made up, and may be somebody's."""
    assert outgoing.carrier_of(numbered) is not None
    numbered.roster.mark_rehearsal()
    assert outgoing.carrier_of(numbered) is None
