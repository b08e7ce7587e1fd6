"""Marks: what staff say a number is used for, by key and not by number. The latest word stands; each is in the ledger.

A bad word counts for a term, which the policy sets; then it is over by itself. Saying it again within the term extends
it, and that takes somebody else: the database refuses the same person, whatever asked it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from sqlalchemy import Connection, Engine, select

from hotline.clock import Clock
from hotline.errors import NotPermitted
from hotline.events.guard import CallerMarked
from hotline.store.database import in_line, reading, upsert, writing
from hotline.store.keyed import Keying
from hotline.store.schema import marks
from hotline.store.statements import statements
from hotline.store.text import instant, masked
from hotline.store.writer import write_events

Word = Literal["abusive", "prank", "genuine"]


@dataclass(frozen=True)
class StaffMark:
    """What staff said of a number. `caller` is masked; `extends`: who said ill of it before, within the term, or ""."""

    key: str
    caller: str
    word: Word
    why: str
    by: str
    at: str
    extends: str


class StaffMarks:
    """Keeps what staff say of numbers; guards the engine and the key of numbers."""

    def __init__(self, engine: Engine, clock: Clock, key: Keying) -> None:
        self._engine, self._clock, self._key = engine, clock, key
        self._sql = statements(engine.dialect)

    def mark(self, number: str, word: Word, *, term: timedelta, why: str, by: str, call: str = "") -> StaffMark:
        """Say what the number (E.164) is used for, from its next ring on. `call`: the call in which it was noticed.

        Raises `NotPermitted` when it would extend what the same person said within the term.
        """
        key, now = self._key(number), self._clock.now()
        with writing(self._engine) as connection:
            in_line(connection, f"mark {key}")
            extends = _who_spoke_ill(_of(connection, key), instant(now - term))
            if word != "genuine" and extends == by:
                raise NotPermitted(f"{masked(number)} was marked by {by} already: longer than that takes somebody else")
            made = StaffMark(key, masked(number), word, why, by, instant(now), extends)
            put = upsert(connection, marks).values(vars(made))
            connection.execute(put.on_conflict_do_update(index_elements=["key"], set_=vars(made)))
            marked = CallerMarked(made.caller, key, word, why, by, extends)
            write_events(connection, self._sql, [marked], call, made.at)
        return made

    def of(self, number: str) -> StaffMark | None:
        """What staff said of the number last, however long ago."""
        with reading(self._engine) as connection:
            return _of(connection, self._key(number))


def _of(connection: Connection, key: str) -> StaffMark | None:
    row = connection.execute(select(marks).where(marks.c.key == key)).first()
    return StaffMark(*row) if row else None


def _who_spoke_ill(before: StaffMark | None, since: str) -> str:
    """Whose bad word still counts, or would if it had not been taken back: taking back is no way to a longer term."""
    if before is None or before.at <= since:
        return ""
    return before.extends if before.word == "genuine" else before.by
