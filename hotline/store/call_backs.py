"""Call-backs: which numbers on file are to be called, when, and what became of it.

A request is written with the event that asks for it (see `writer`), one waiting a precinct. It is good for ten minutes
and for one call; a precinct is called once in five minutes and, with nothing to verify, three times an hour, so that
nobody can have a chair rung up all night; the line calls sixty times a minute. Numbers are kept as their keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, func, or_, select, text, update

from hotline.clock import Clock
from hotline.events.kinds import Event
from hotline.events.verification import CallBackFailed
from hotline.store.database import reading, writing
from hotline.store.keyed import Keying
from hotline.store.schema import call_backs
from hotline.store.statements import statements
from hotline.store.text import instant
from hotline.store.writer import write_events

VALID = timedelta(minutes=10)
APART = timedelta(minutes=5)
AN_HOUR = timedelta(hours=1)
PER_HOUR = 3
"""Calls to a precinct within an hour that have no report to verify."""
PACE = 60
"""Calls a minute: the carrier makes one a second by default."""

_COLUMNS = (call_backs.c.id, call_backs.c.precinct, call_backs.c.version, call_backs.c.why, call_backs.c.requested_at)
_IS_WAITING = and_(call_backs.c.placed_at.is_(None), call_backs.c.closed_at.is_(None))


@dataclass(frozen=True)
class CallBack:
    """A number on file of `precinct` is to be called. `version` is the one to verify, 0 for none."""

    id: int
    precinct: str
    version: int
    why: str
    requested_at: str


class CallBacks:
    """The queue of call-backs; guards the engine and the key of numbers."""

    def __init__(self, engine: Engine, clock: Clock, key: Keying) -> None:
        self._engine, self._clock, self._key = engine, clock, key
        self._sql = statements(engine.dialect)

    def waiting(self) -> list[CallBack]:
        """What is to be called and was not yet, reports to be verified first, then the oldest."""
        return self._read(select(*_COLUMNS).where(_IS_WAITING))

    def due(self, limit: int = 1) -> list[CallBack]:
        """The waiting ones that may be called now."""
        return self._read(select(*_COLUMNS).where(_IS_WAITING, self._may_ring()).limit(limit))

    def find(self, request: int) -> CallBack | None:
        """One call-back, whatever has become of it."""
        found = self._read(select(*_COLUMNS).where(call_backs.c.id == request))
        return found[0] if found else None

    def called_before(self, precinct: str, numbers: Sequence[str]) -> dict[str, int]:
        """How often each of these numbers (E.164) was called for the precinct."""
        counted = select(call_backs.c.number, func.count()).where(call_backs.c.precinct == precinct)
        with reading(self._engine) as connection:
            by_key = {row[0]: row[1] for row in connection.execute(counted.group_by(call_backs.c.number))}
        return {number: by_key.get(self._key(number), 0) for number in numbers}

    def claim(self, request: int, number: str) -> bool:
        """Take a waiting call-back for calling `number` (E.164): True for one taker, once, and only when it is due."""
        now = instant(self._clock.now())
        with writing(self._engine) as connection:
            _alone(connection)
            if not self._keeps_pace(connection):
                return False
            ours = update(call_backs).where(call_backs.c.id == request, _IS_WAITING, self._may_ring())
            return bool(connection.execute(ours.values(placed_at=now, number=self._key(number))).rowcount)

    def give_back(self, request: int) -> None:
        """The carrier was too busy to call: it waits again, as if it had never been taken."""
        with writing(self._engine) as connection:
            ours = update(call_backs).where(call_backs.c.id == request, call_backs.c.closed_at.is_(None))
            connection.execute(ours.values(placed_at=None, number=""))

    def answer(self, request: int, call: str, number: str) -> CallBack | None:
        """The called `number` (E.164) picked up in `call`; None when another did, too late, or once more."""
        mine = (
            call_backs.c.id == request,
            call_backs.c.number == self._key(number),
            call_backs.c.placed_at.is_not(None),
        )
        is_open = and_(call_backs.c.closed_at.is_(None), call_backs.c.requested_at > self._ago(VALID))
        now = instant(self._clock.now())
        with writing(self._engine) as connection:
            taken = update(call_backs).where(*mine, or_(call_backs.c.call == call, is_open))
            values = {"call": call, "closed_at": now, "outcome": "answered"}
            if not connection.execute(taken.values(**values)).rowcount:
                return None
            row = connection.execute(select(*_COLUMNS).where(call_backs.c.id == request)).one()
        return CallBack(*row)

    def fail(self, request: int, why: str) -> bool:
        """Close a call-back that reached nobody, with its event. False when it was closed before."""
        with writing(self._engine) as connection:
            return self._close(connection, [request], why) > 0

    def expire(self) -> int:
        """Close those that were not called in time, and those of whose call nobody has said what became of it: a worker
        may have ended between taking and placing it. Each with its event; how many."""
        late = and_(_IS_WAITING, call_backs.c.requested_at <= self._ago(VALID))
        untold = and_(call_backs.c.closed_at.is_(None), call_backs.c.placed_at <= self._ago(VALID))
        return self._close_all(late, "expired") + self._close_all(untold, "unknown")

    def _close_all(self, which: ColumnElement[bool], why: str) -> int:
        with reading(self._engine) as connection:
            requests = list(connection.execute(select(call_backs.c.id).where(which)).scalars())
        if not requests:
            return 0
        with writing(self._engine) as connection:
            return self._close(connection, requests, why, which)

    def _close(self, connection: Connection, requests: Sequence[int], why: str, *still: ColumnElement[bool]) -> int:
        at = instant(self._clock.now())
        failed: list[Event] = []
        for request in requests:
            ours = update(call_backs).where(call_backs.c.id == request, call_backs.c.closed_at.is_(None), *still)
            closed = connection.execute(ours.values(closed_at=at, outcome=why).returning(call_backs.c.precinct))
            failed += [CallBackFailed(precinct, request, why) for precinct in closed.scalars()]
        write_events(connection, self._sql, failed, "", at)
        return len(failed)

    def _may_ring(self) -> ColumnElement[bool]:
        """In time, not so soon after the last call to the precinct, and not too often."""
        before = call_backs.alias()
        same = and_(before.c.precinct == call_backs.c.precinct, before.c.placed_at.is_not(None))
        lately = select(before.c.id).where(same, before.c.placed_at > self._ago(APART)).exists()
        in_an_hour = select(func.count()).where(same, before.c.placed_at > self._ago(AN_HOUR)).scalar_subquery()
        is_wanted = or_(call_backs.c.version > 0, in_an_hour < PER_HOUR)
        return and_(call_backs.c.requested_at > self._ago(VALID), ~lately, is_wanted)

    def _keeps_pace(self, connection: Connection) -> bool:
        minute = select(func.count()).where(call_backs.c.placed_at > self._ago(timedelta(minutes=1)))
        return connection.execute(minute).scalar_one() < PACE

    def _read(self, wanted: Select[Any]) -> list[CallBack]:
        ordered = wanted.order_by(call_backs.c.version == 0, call_backs.c.id)
        with reading(self._engine) as connection:
            return [CallBack(*row) for row in connection.execute(ordered)]

    def _ago(self, time: timedelta) -> str:
        return instant(self._clock.now() - time)


def _alone(connection: Connection) -> None:
    """PostgreSQL lets transactions count side by side: those that take a call-back wait in line."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('hotline call-backs'))"))
