"""The outbox: jobs the ledger gives out, from the commit that made them until their effect is committed too.

A row is written with the event it is about. The relay hands it to the queue and then marks it; whoever does the job
acknowledges it in the transaction of its effect. Dying between any two of these means the job is handed out again,
never that it is lost: jobs may run twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Select, bindparam, func, select, update

from hotline.clock import Clock
from hotline.store.database import reading, writing
from hotline.store.schema import outbox
from hotline.store.text import instant

STALE_SECONDS = 30.0
_COLUMNS = (outbox.c.job, outbox.c.precinct, outbox.c.version, outbox.c.seq)
_IS_RESULT = outbox.c.job.startswith("tab-", autoescape=True)


@dataclass(frozen=True)
class Job:
    """A precinct whose result has to be worked out, because of the event at `seq`. `version` is 0 where none is meant.

    `job` is the queue's id, "tab-<precinct>-<version>-<seq>"; "note-…" is a text to its numbers on file instead.
    """

    job: str
    precinct: str
    version: int
    seq: int

    @property
    def is_notice(self) -> bool:
        """Whether a text is to be sent, and nothing to be worked out."""
        return self.job.startswith("note-")


@dataclass(frozen=True)
class Backlog:
    """What is not acknowledged yet: how many jobs, and when the oldest was written (None when there is none)."""

    depth: int
    oldest_at: str | None


class Outbox:
    """The outbox as the relay and the sweep see it; guards the engine."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def pending(self, limit: int = 500) -> list[Job]:
        """Jobs never handed to the queue, oldest first."""
        return self._open(select(*_COLUMNS).where(outbox.c.relayed_at.is_(None)), limit)

    def stale(self, seconds: float = STALE_SECONDS, limit: int = 500) -> list[Job]:
        """Jobs handed over `seconds` ago or longer and not acknowledged: to be handed over again."""
        before = instant(self._clock.now() - timedelta(seconds=seconds))
        return self._open(select(*_COLUMNS).where(outbox.c.relayed_at <= before), limit)

    def mark_relayed(self, jobs: Sequence[Job]) -> None:
        """Note that the queue has these jobs."""
        if jobs:
            names = [job.job for job in jobs]
            with writing(self._engine) as connection:
                marked = update(outbox).where(outbox.c.job.in_(names))
                connection.execute(marked.values(relayed_at=instant(self._clock.now())))

    def requeue(self, precinct: str | None = None) -> None:
        """Have every acknowledged job, or one precinct's, handed out once more: results are worked out afresh."""
        afresh = update(outbox).where(_IS_RESULT).values(relayed_at=None, acknowledged_at=None)
        with writing(self._engine) as connection:
            connection.execute(afresh.where(outbox.c.precinct == precinct) if precinct else afresh)

    def acknowledge(self, job: str) -> None:
        """Note that a job's effect stands."""
        with writing(self._engine) as connection:
            acknowledge(connection, [job], instant(self._clock.now()))

    def backlog(self) -> Backlog:
        """How much is waiting, and since when."""
        waiting = select(func.count(), func.min(outbox.c.created_at)).where(outbox.c.acknowledged_at.is_(None))
        with reading(self._engine) as connection:
            return Backlog(*connection.execute(waiting).one())

    def _open(self, jobs: Select[Any], limit: int) -> list[Job]:
        ordered = jobs.where(outbox.c.acknowledged_at.is_(None)).order_by(outbox.c.seq).limit(limit)
        with reading(self._engine) as connection:
            return [Job(*row) for row in connection.execute(ordered)]


_OPEN = select(outbox.c.job).where(
    outbox.c.precinct == bindparam("code"), outbox.c.acknowledged_at.is_(None), _IS_RESULT
)
_DONE = update(outbox).where(outbox.c.job.in_(bindparam("names", expanding=True)))


def open_jobs(connection: Connection, precinct: str) -> list[str]:
    """The jobs to work a precinct out that are still open: what whoever now reads its events will have done."""
    return list(connection.execute(_OPEN, {"code": precinct}).scalars())


def acknowledge(connection: Connection, jobs: Sequence[str], at: str) -> None:
    """Note that a result now stands that has read what all these jobs were about."""
    if jobs:
        connection.execute(_DONE.values(acknowledged_at=at), {"names": list(jobs)})
