"""Redis at one look: jobs, workers heard of, its clock, and whether it can still write."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import redis

from hotline.clock import Clock
from hotline.store import queues
from hotline.store.embedded import Embedded
from hotline.store.queue_health import health


class Later(Clock):
    def now(self) -> datetime:
        return super().now() + timedelta(seconds=40)


def test_jobs_that_wait_and_jobs_that_failed_are_counted(connection: redis.Redis, valkey: Embedded) -> None:
    queues.place(connection, "tabulate", "tab-00013-1-1", "nowhere.at.all", [])
    assert {"confirm": 0, "tabulate": 1, "notify": 0, "analytics": 0} == health(connection, Clock()).waiting
    job = queues.queue("tabulate", connection).fetch_job("tab-00013-1-1")
    assert job is not None
    queues.queue("tabulate", connection).failed_job_registry.add(job, ttl=60)
    assert 1 == health(connection, Clock()).failed


def test_a_worker_not_heard_of_for_half_a_minute_is_gone(connection: redis.Redis, valkey: Embedded) -> None:
    worker = queues.worker(valkey.url, "here")
    worker.register_birth()
    try:
        assert 1 == health(connection, Clock()).workers
        assert 0 == health(connection, Later()).workers
    finally:
        worker.register_death()
    assert 0 == health(connection, Clock()).workers


def test_the_clock_of_redis_is_held_against_ours(connection: redis.Redis) -> None:
    """On one machine they are the same; ours 40 seconds ahead, Redis is behind."""
    assert abs(health(connection, Clock()).ahead) < 1
    assert -41 < health(connection, Later()).ahead < -39


def test_a_log_that_cannot_be_written_shows(connection: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    assert health(connection, Clock()).is_kept
    monkeypatch.setattr(connection, "info", lambda section: {"aof_last_write_status": "err"})
    assert not health(connection, Clock()).is_kept


def test_without_redis_there_is_no_answer() -> None:
    with pytest.raises(queues.Unreachable):
        health(queues.client("unix:///nowhere/valkey.sock"), Clock())
