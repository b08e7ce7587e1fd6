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

from sqlalchemy import ColumnElement, Connection, Engine, Select, bindparam, func, or_, select, update

from hotline.clock import Clock
from hotline.store.alerts import put, take_down
from hotline.store.database import reading, writing
from hotline.store.schema import alerts, outbox
from hotline.store.text import instant

STALE_SECONDS = 30.0
_COLUMNS = (outbox.c.job, outbox.c.precinct, outbox.c.version, outbox.c.seq)
DEAD = "dead-letter"
"""The kind of alert that stands for a job put aside; its subject is the job."""
_DEAD = (outbox.c.dead_at.is_not(None), outbox.c.acknowledged_at.is_(None))
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


@dataclass(frozen=True)
class DeadLetter:
    """A job put aside: when, and the last line of what it failed with."""

    job: Job
    dead_at: str
    error: str


class Outbox:
    """The outbox as the relay and the sweep see it; guards the engine."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def pending(self, limit: int = 500) -> list[Job]:
        """Jobs never handed to the queue, oldest first."""
        return self._open(select(*_COLUMNS).where(outbox.c.relayed_at.is_(None)), limit)

    def stale(self, seconds: float = STALE_SECONDS, limit: int = 500) -> list[Job]:
        """Jobs handed over `seconds` ago or longer and not acknowledged: to be handed over again.

        So is one handed over as far ahead: the clock was set back since.
        """
        now, patience = self._clock.now(), timedelta(seconds=seconds)
        handed = outbox.c.relayed_at
        long_ago = or_(handed <= instant(now - patience), handed >= instant(now + patience))
        return self._open(select(*_COLUMNS).where(long_ago), limit)

    def mark_relayed(self, jobs: Sequence[Job]) -> None:
        """Note that the queue has these jobs."""
        if jobs:
            names = [job.job for job in jobs]
            with writing(self._engine) as connection:
                marked = update(outbox).where(outbox.c.job.in_(names))
                connection.execute(marked.values(relayed_at=instant(self._clock.now())))

    def requeue(self, precinct: str | None = None) -> int:
        """Have every job to work a result out, or one precinct's, handed out once more; how many."""
        afresh = update(outbox).where(_IS_RESULT, *_of(precinct))
        with writing(self._engine) as connection:
            again = afresh.values(relayed_at=None, acknowledged_at=None, dead_at=None, error=None)
            return connection.execute(again).rowcount

    def bury(self, job: Job, error: str) -> None:
        """Put a job aside that failed every time it was tried, and raise an alert: it waits for a person."""
        with writing(self._engine) as connection:
            at = instant(self._clock.now())
            put_aside = update(outbox).where(outbox.c.job == job.job, outbox.c.acknowledged_at.is_(None))
            connection.execute(put_aside.values(dead_at=at, error=error))
            put(connection, DEAD, job.job, f"{job.precinct}: a job failed every time it was tried: {error}", at)

    def settle(self) -> None:
        """Take down the alerts for jobs that are not put aside any more: tried again, or done by another of theirs."""
        standing = select(alerts.c.subject).where(alerts.c.kind == DEAD, alerts.c.cleared_at.is_(None))
        with reading(self._engine) as connection:
            raised = set(connection.execute(standing).scalars())
            still = set(connection.execute(select(outbox.c.job).where(*_DEAD)).scalars())
        for job in sorted(raised - still):
            with writing(self._engine) as connection:
                take_down(connection, DEAD, job, instant(self._clock.now()))

    def dead(self) -> list[DeadLetter]:
        """The jobs put aside, oldest first."""
        columns = (*_COLUMNS, outbox.c.dead_at, outbox.c.error)
        with reading(self._engine) as connection:
            found = connection.execute(select(*columns).where(*_DEAD).order_by(outbox.c.seq))
            return [DeadLetter(Job(*row[:4]), row.dead_at, row.error) for row in found]

    def revive(self, precinct: str | None = None) -> int:
        """Have the jobs put aside, or one precinct's, tried again; how many."""
        with writing(self._engine) as connection:
            again = update(outbox).where(*_DEAD, *_of(precinct))
            return connection.execute(again.values(relayed_at=None, dead_at=None, error=None)).rowcount

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
        ordered = (
            jobs.where(outbox.c.acknowledged_at.is_(None), outbox.c.dead_at.is_(None))
            .order_by(outbox.c.seq)
            .limit(limit)
        )
        with reading(self._engine) as connection:
            return [Job(*row) for row in connection.execute(ordered)]


def _of(precinct: str | None) -> list[ColumnElement[bool]]:
    return [outbox.c.precinct == precinct] if precinct else []


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
