"""Reads the ledger back: a precinct's events and standing, the half-given report, the whole ledger in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from hotline.dialog.facts import HalfGiven
from hotline.events.kinds import from_body
from hotline.events.standing import PrecinctStanding, Recorded, fold
from hotline.store.schema import calls, drafts, events
from hotline.store.text import load
from hotline.store.writer import MOVES_RESULT

_COLUMNS = (events.c.seq, events.c.at, events.c.call, events.c.precinct, events.c.kind, events.c.body)
_MOVING = tuple(kind.__name__ for kind in MOVES_RESULT)
CHUNK = 2_000
"""Rows fetched at a time when the whole ledger is read."""


def history(connection: Connection, precinct: str) -> list[Recorded]:
    """Everything recorded of one precinct, in order."""
    return list(_read(connection, select(*_COLUMNS).where(events.c.precinct == precinct)))


def standing(connection: Connection, precinct: str) -> PrecinctStanding:
    """Where one precinct stands, folded from the events that move it."""
    moving = select(*_COLUMNS).where(events.c.precinct == precinct, events.c.kind.in_(_MOVING))
    return fold(precinct, _read(connection, moving))


def standings(connection: Connection, upto: int | None = None) -> dict[str, PrecinctStanding]:
    """Where every precinct stands that anything moved, as of `upto`; by code."""
    moving = _upto(select(*_COLUMNS).where(events.c.kind.in_(_MOVING)), upto)
    by_precinct: dict[str, list[Recorded]] = {}
    for recorded in _read(connection, moving):
        by_precinct.setdefault(recorded.precinct, []).append(recorded)
    return {precinct: fold(precinct, recorded) for precinct, recorded in by_precinct.items()}


def events_between(connection: Connection, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
    """The ledger in order of `seq`, from behind `after` up to and including `upto`, a chunk of rows at a time."""
    return _read(connection, _upto(select(*_COLUMNS).where(events.c.seq > after), upto))


def head(connection: Connection) -> int:
    """The highest `seq` so far, 0 for an empty ledger."""
    return connection.execute(select(func.max(events.c.seq))).scalar() or 0


def half_given(connection: Connection, precinct: str) -> HalfGiven | None:
    """The report left unfinished for the precinct, as the session of the call that holds it has it."""
    held = select(calls.c.sid, calls.c.session, drafts.c.parked).join(drafts, drafts.c.call == calls.c.sid)
    row = connection.execute(held.where(drafts.c.precinct == precinct)).first()
    if row is None:
        return None
    if row.parked:
        return HalfGiven(call=row.sid, draft=load(row.parked))
    session = load(row.session)
    if session.get("precinct") != precinct or not session.get("draft"):
        return None  # the call has only signed in so far, or left with nothing given
    return HalfGiven(call=row.sid, draft=session["draft"])


def session(connection: Connection, sid: str) -> dict[str, Any] | None:
    """The dialog's session of a call as its last turn left it; None when there is none."""
    kept = connection.execute(select(calls.c.session).where(calls.c.sid == sid)).scalar()
    return load(kept) if kept else None


def _upto(statement: Select[Any], upto: int | None) -> Select[Any]:
    return statement if upto is None else statement.where(events.c.seq <= upto)


def _read(connection: Connection, statement: Select[Any]) -> Iterator[Recorded]:
    ordered = statement.order_by(events.c.seq).execution_options(yield_per=CHUNK)
    return map(_recorded, connection.execute(ordered))


def _recorded(row: Row[Any]) -> Recorded:
    return Recorded(row.seq, row.at, row.call, row.precinct, from_body(row.kind, load(row.body)))
