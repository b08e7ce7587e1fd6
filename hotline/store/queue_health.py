"""How the queues and their Redis are: what waits, who works, whether what is queued would outlive a crash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from hotline.clock import Clock
from hotline.store import queues

HEARD_SECONDS = 30.0
"""A worker that waits for a job says so every 15 s; one that has not for 30 is counted as gone."""


@dataclass(frozen=True)
class QueueHealth:
    """`waiting` and `failed` are jobs, `workers` those heard of lately. `latency` is a round trip in seconds, `is_kept`
    whether Redis could write its log the last time it tried, `ahead` how far its clock is ahead of ours in seconds."""

    waiting: Mapping[str, int]
    failed: int
    workers: int
    latency: float
    is_kept: bool
    ahead: float


def health(connection: queues.Client, clock: Clock) -> QueueHealth:
    """Look at Redis. Raises `Unreachable` when it does not answer."""
    began = clock.monotonic()
    seconds, micros = _answer(connection.time())
    latency = clock.monotonic() - began
    now = clock.now()
    kept = _answer(connection.info("persistence"))
    return QueueHealth(
        waiting=queues.depths(connection),
        failed=sum(queues.queue(name, connection).failed_job_registry.get_job_count(False) for name in queues.NAMES),
        workers=workers_heard(connection, now),
        latency=latency,
        is_kept=kept.get("aof_last_write_status", "ok") == "ok" and kept.get("aof_last_bgrewrite_status", "ok") == "ok",
        ahead=seconds + micros / 1e6 - now.timestamp(),
    )


def workers_heard(connection: queues.Client, now: datetime) -> int:
    """How many workers have said lately that they are there. Raises `Unreachable`."""
    known = SimpleWorker.all(connection=connection, serializer=JSONSerializer)
    said = [each.last_heartbeat.replace(tzinfo=UTC) for each in known if each.last_heartbeat is not None]
    return sum((now - at).total_seconds() < HEARD_SECONDS for at in said)


def _answer(given: Any) -> Any:
    """What the client returned: it is typed for both kinds of client, and ours waits for its answers."""
    return given
