"""Calls as staff look at them: those that wait to be looked at, one with all that happened in it, and what is near it.

Read only, each query by an index and bounded. Whole numbers stay in here: what leaves is masked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, func, select

from hotline.events.standing import Recorded
from hotline.store import history
from hotline.store.database import reading
from hotline.store.schema import calls, events, pin_attempts, turns
from hotline.store.staff_tables import flags
from hotline.store.text import masked

MOST_EVENTS, MOST_TURNS, NEAR = 500, 300, 20
LOOKED_THROUGH = 1_000
"""Waiting calls whose reasons a list may be asked for by: an attack has thousands, all for the same few reasons."""


@dataclass(frozen=True)
class CallRow:
    """One call in a list: `caller` and `called` masked; `risk`, `reasons` and staff's `word` of its flag."""

    sid: str
    at: str
    caller: str
    called: str
    precinct: str
    status: str
    seconds: int
    risk: int
    reasons: tuple[str, ...]
    word: str
    why: str
    by: str


@dataclass(frozen=True)
class Attempt:
    """Somebody keyed a PIN at a precinct: when, from where (masked), whether it is on file there, how it went."""

    at: str
    caller: str
    call: str
    is_on_file: bool
    outcome: str
    pattern: str


@dataclass(frozen=True)
class Asked:
    """What a list of flagged calls is to hold; "" asks for nothing. `number` and `called` in E.164; `state` is
    "decided", or "" for what waits."""

    reason: str = ""
    precinct: str = ""
    number: str = ""
    called: str = ""
    state: str = ""


_COLUMNS = (
    *(calls.c.sid, calls.c.answered_at, calls.c.caller, calls.c.called, calls.c.precinct, calls.c.status),
    *(calls.c.seconds, flags.c.risk, flags.c.reasons, flags.c.word, flags.c.why, flags.c.by),
)


class CallRecords:
    """Reads calls; guards the engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def flagged(self, asked: Asked, first: int, count: int) -> tuple[list[CallRow], int]:
        """So many flagged calls from the `first`, the riskiest and then the oldest at the top; how many there are.

        Decided ones: the last decision at the top.
        """
        is_decided = asked.state == "decided"
        order = (flags.c.decided_at.desc(),) if is_decided else (flags.c.risk.desc(), flags.c.at)
        chosen = _asked(select(flags.c.call), asked).order_by(*order).offset(first).limit(count).subquery()
        which = select(*_COLUMNS).join(flags, flags.c.call == calls.c.sid).join(chosen, chosen.c.call == calls.c.sid)
        with reading(self._engine) as connection:
            rows = connection.execute(which.order_by(*order)).all()
            total = connection.execute(_asked(select(func.count()).select_from(flags), asked)).scalar_one()
        return [_row(row) for row in rows], total

    def reasons(self) -> list[str]:
        """The reasons of the riskiest that wait, each once."""
        riskiest = select(flags.c.reasons).where(flags.c.word == "").order_by(flags.c.risk.desc(), flags.c.at)
        waiting = select(riskiest.limit(LOOKED_THROUGH).subquery().c.reasons).distinct()
        with reading(self._engine) as connection:
            return sorted({reason for row in connection.execute(waiting).scalars() for reason in row.split()})

    def find(self, sid: str) -> CallRow | None:
        """One call, flagged or not."""
        one = select(*_COLUMNS).join(flags, flags.c.call == calls.c.sid, isouter=True).where(calls.c.sid == sid)
        with reading(self._engine) as connection:
            row = connection.execute(one).first()
        return _row(row) if row else None

    def calls_of(self, number: str, but: str = "") -> list[CallRow]:
        """The newest calls of a number (E.164), without the one called `but`; none of a withheld number, which is not
        one caller's."""
        theirs = select(*_COLUMNS).join(flags, flags.c.call == calls.c.sid, isouter=True)
        theirs = theirs.where(calls.c.caller == number, calls.c.caller != "", calls.c.sid != but)
        with reading(self._engine) as connection:
            newest = connection.execute(theirs.order_by(calls.c.answered_at.desc()).limit(NEAR))
            return [_row(row) for row in newest]

    def events(self, sid: str) -> list[Recorded]:
        """What was recorded of a call, in order."""
        with reading(self._engine) as connection:
            return history.of_call(connection, sid, MOST_EVENTS)

    def answers(self, sid: str) -> list[str]:
        """What the caller was told, turn by turn, as the carrier got it."""
        kept = select(turns.c.answer).where(turns.c.call == sid).order_by(turns.c.n).limit(MOST_TURNS)
        with reading(self._engine) as connection:
            return list(connection.execute(kept).scalars())

    def attempts(self, precinct: str) -> list[Attempt]:
        """The newest PINs keyed at a precinct, newest first."""
        columns = (pin_attempts.c.at, calls.c.caller, pin_attempts.c.call, pin_attempts.c.registered)
        kept = select(*columns, pin_attempts.c.outcome, pin_attempts.c.pattern)
        kept = kept.join(calls, calls.c.sid == pin_attempts.c.call).where(pin_attempts.c.precinct == precinct)
        with reading(self._engine) as connection:
            rows = connection.execute(kept.order_by(pin_attempts.c.id.desc()).limit(NEAR)).all()
        return [Attempt(row.at, masked(row.caller), *row[2:]) for row in rows]


def _asked(wanted: Select[Any], asked: Asked) -> Select[Any]:
    wanted = wanted.where(flags.c.decided_at.is_not(None) if asked.state == "decided" else flags.c.word == "")
    if asked.reason:
        wanted = wanted.where(flags.c.reasons.contains(f" {asked.reason} ", autoescape=True))
    if asked.number:
        wanted = wanted.where(flags.c.call.in_(select(calls.c.sid).where(calls.c.caller == asked.number)))
    if asked.called:
        wanted = wanted.where(flags.c.call.in_(select(calls.c.sid).where(calls.c.called == asked.called)))
    if asked.precinct:
        there = select(events.c.call).where(events.c.precinct == asked.precinct, events.c.call != "")
        wanted = wanted.where(flags.c.call.in_(there))
    return wanted


def _row(row: Any) -> CallRow:
    sid, at, caller, called, precinct, status, seconds, risk, reasons, word, why, by = row
    once = tuple(dict.fromkeys((reasons or "").split()))
    flag = (risk or 0, once, word or "", why or "", by or "")
    return CallRow(sid, at, masked(caller) or "withheld", masked(called), precinct, status, seconds, *flag)
