"""A job that fails every time is put aside with what it failed with; the others flow, and a person is told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

import pytest
import redis

from hotline.clock import Clock
from hotline.errors import NotRecorded
from hotline.services import publication, tabulation
from hotline.services.line import Line
from hotline.store import queues
from hotline.store.embedded import Embedded
from hotline.store.outbox import Outbox
from tests.services.reports import confirm, worksheet
from workers import relay, sweep

BAD, GOOD = "00013", "00045"


@dataclass(frozen=True)
class Later(Clock):
    """A clock that is ahead of the one the rows were written with."""

    seconds: int

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.seconds)


_minutes = count(1)


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What tabulating `BAD` raises; taken out of the list, it works."""
    troubles: list[BaseException] = [ZeroDivisionError("a bug of ours")]
    tabulate = tabulation.tabulate

    def failing(line: Line, precinct: str) -> str:
        if precinct == BAD and troubles:
            raise troubles[0]
        return tabulate(line, precinct)

    monkeypatch.setattr(tabulation, "tabulate", failing)
    monkeypatch.setattr(queues, "RETRY_AFTER", (0, 0))
    return troubles


def worked(line: Line, connection: redis.Redis, valkey: Embedded) -> None:
    """Everything the relay, a worker and the sweep do in half a minute."""
    relay.relay(line.outbox, connection)
    queues.worker(valkey.url, "burst").work(burst=True, logging_level="CRITICAL")
    later = Later(60 * next(_minutes))
    sweep.sweep(Outbox(line.ledger.engine, later), connection, later)
    relay.relay(line.outbox, connection)
    queues.worker(valkey.url, "burst").work(burst=True, logging_level="CRITICAL")


def test_poison_is_put_aside_and_the_rest_flows(
    line: Line, connection: redis.Redis, valkey: Embedded, poison: list[BaseException]
) -> None:
    """One letter with its error, one alert; the other report counts. Mended and retried, nothing is left."""
    confirm(line, BAD, worksheet())
    confirm(line, GOOD, worksheet())
    worked(line, connection, valkey)
    outcomes = publication.night(line).outcomes
    assert ("outstanding", 1) == (outcomes[BAD].status, outcomes[GOOD].version)
    assert [(BAD, "ZeroDivisionError: a bug of ours")] == [
        (each.job.precinct, each.error) for each in line.outbox.dead()
    ]
    assert [("dead-letter", True)] == [(each.kind, BAD in each.text) for each in line.alerts.standing()]
    assert [] == line.outbox.pending()
    assert [] == Outbox(line.ledger.engine, Later(86_400)).stale()
    poison.clear()
    assert 1 == line.outbox.revive()
    worked(line, connection, valkey)
    assert 1 == publication.night(line).outcomes[BAD].version
    assert ([], []) == (line.outbox.dead(), line.alerts.standing())


def test_a_database_that_is_away_buries_nothing(
    line: Line, connection: redis.Redis, valkey: Embedded, poison: list[BaseException]
) -> None:
    """However often a job fails for want of the database, it is queued again."""
    poison[0] = NotRecorded("the database is away")
    confirm(line, BAD, worksheet())
    worked(line, connection, valkey)
    assert [] == line.outbox.dead()
    poison.clear()
    worked(line, connection, valkey)
    assert "counted" == publication.night(line).outcomes[BAD].status


def test_a_newer_report_settles_what_was_put_aside(
    line: Line, connection: redis.Redis, valkey: Embedded, poison: list[BaseException]
) -> None:
    """Working a precinct out does what all its jobs were about: the letter and its alert are gone."""
    confirm(line, BAD, worksheet())
    worked(line, connection, valkey)
    poison.clear()
    confirm(line, BAD, worksheet(), version=2)
    worked(line, connection, valkey)
    assert ([], []) == (line.outbox.dead(), line.alerts.standing())
