"""Reads the ledger back: a precinct's events and standing, the half-given report, the whole ledger in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Select, select

from hotline.dialog.facts import HalfGiven
from hotline.errors import UnknownCall
from hotline.events.kinds import from_body
from hotline.events.standing import PrecinctStanding, Recorded, fold
from hotline.store.schema import calls, events
from hotline.store.statements import ask
from hotline.store.text import load
from hotline.store.writer import MOVES_RESULT

_COLUMNS = (events.c.seq, events.c.at, events.c.call, events.c.precinct, events.c.kind, events.c.body)
_MOVING = tuple(kind.__name__ for kind in MOVES_RESULT)

MOVED = f"""
SELECT seq, at, call, precinct, kind, body FROM events
WHERE precinct = :precinct AND kind IN ({", ".join(f"'{kind}'" for kind in _MOVING)}) ORDER BY seq"""  # noqa: S608

CALLER = "SELECT caller FROM calls WHERE sid = :sid"

HEAD = "SELECT COALESCE(MAX(seq), 0) FROM events"

HELD = """
SELECT calls.sid, calls.session, drafts.parked FROM drafts JOIN calls ON calls.sid = drafts.call
WHERE drafts.precinct = :precinct"""

CHUNK = 2_000
"""Rows fetched at a time when the whole ledger is read."""


def history(connection: Connection, precinct: str) -> list[Recorded]:
    """Everything recorded of one precinct, in order."""
    return list(_read(connection, select(*_COLUMNS).where(events.c.precinct == precinct)))


def standing(connection: Connection, precinct: str) -> PrecinctStanding:
    """Where one precinct stands, folded from the events that move it."""
    rows = ask(connection, MOVED, {"precinct": precinct}).fetchall()
    return fold(precinct, [_recorded(*row) for row in rows])


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
    return int(ask(connection, HEAD, {}).fetchone()[0])


def half_given(connection: Connection, precinct: str) -> HalfGiven | None:
    """The report left unfinished for the precinct, as the session of the call that holds it has it."""
    row = ask(connection, HELD, {"precinct": precinct}).fetchone()
    if row is None:
        return None
    call, kept, parked = row
    if parked:
        return HalfGiven(call=call, draft=load(parked))
    session = load(kept)
    if session.get("precinct") != precinct or not session.get("draft"):
        return None  # the call has only signed in so far, or left with nothing given
    return HalfGiven(call=call, draft=session["draft"])


def session(connection: Connection, sid: str) -> dict[str, Any] | None:
    """The dialog's session of a call as its last turn left it; None when there is none."""
    kept = connection.execute(select(calls.c.session).where(calls.c.sid == sid)).scalar()
    return load(kept) if kept else None


def of_call(connection: Connection, sid: str, limit: int) -> list[Recorded]:
    """The first `limit` things recorded of a call, in order."""
    return list(_read(connection, select(*_COLUMNS).where(events.c.call == sid).limit(limit)))


def caller(connection: Connection, sid: str) -> str:
    """The whole number that made a call, "" when withheld. Raises `UnknownCall`."""
    row = ask(connection, CALLER, {"sid": sid}).fetchone()
    if row is None:
        raise UnknownCall(f"Call {sid} was never answered here")
    return str(row[0])


def _upto(statement: Select[Any], upto: int | None) -> Select[Any]:
    return statement if upto is None else statement.where(events.c.seq <= upto)


def _read(connection: Connection, statement: Select[Any]) -> Iterator[Recorded]:
    ordered = statement.order_by(events.c.seq).execution_options(yield_per=CHUNK)
    return (_recorded(*row) for row in connection.execute(ordered))


def _recorded(seq: int, at: str, call: str, precinct: str, kind: str, body: str) -> Recorded:
    return Recorded(seq, at, call, precinct, from_body(kind, load(body)))
