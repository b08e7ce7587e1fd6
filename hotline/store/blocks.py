"""Blocks: numbers whose calls staff have refused, by key and not by number, each with a reason and an end.

The row says what stands now; who did what and when is in the ledger, in the same transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, select, update

from hotline.clock import Clock
from hotline.events.guard import CallerBlocked, CallerUnblocked
from hotline.store.database import reading, upsert, writing
from hotline.store.keyed import Keying
from hotline.store.schema import blocks
from hotline.store.statements import statements
from hotline.store.text import instant, masked
from hotline.store.writer import write_events


@dataclass(frozen=True)
class Block:
    """One block as staff see it. `caller` is masked; `lifted_at` is "" while nobody has lifted it."""

    key: str
    caller: str
    why: str
    by: str
    at: str
    until: str
    lifted_at: str

    def stands(self, now: datetime) -> bool:
        """Whether it refuses calls at `now`."""
        return not self.lifted_at and self.until > instant(now)


class Blocks:
    """Blocks and unblocks numbers; guards the engine and the key of numbers."""

    def __init__(self, engine: Engine, clock: Clock, key: Keying) -> None:
        self._engine, self._clock, self._key = engine, clock, key
        self._sql = statements(engine.dialect)

    def block(self, number: str, *, span: timedelta, why: str, by: str) -> Block:
        """Have the number's calls refused from the next ring on; a block that stands is replaced."""
        now = self._clock.now()
        made = Block(self._key(number), masked(number), why, by, instant(now), instant(now + span), "")
        with writing(self._engine) as connection:
            put = upsert(connection, blocks).values(vars(made))
            connection.execute(put.on_conflict_do_update(index_elements=["key"], set_=vars(made)))
            event = CallerBlocked(made.caller, made.key, made.until, why, by)
            write_events(connection, self._sql, [event], "", made.at)
        return made

    def unblock(self, number: str, *, why: str, by: str) -> bool:
        """Lift a number's block from the next ring on. False when none stands."""
        return self.lift(self._key(number), why=why, by=by)

    def lift(self, key: str, *, why: str, by: str) -> bool:
        """Lift the block of the number with this key: who looks through the blocks sees no number. As `unblock`."""
        at = instant(self._clock.now())
        lifted = update(blocks).where(blocks.c.key == key, blocks.c.lifted_at == "", blocks.c.until > at)
        with writing(self._engine) as connection:
            row = connection.execute(lifted.values(lifted_at=at).returning(blocks.c.caller)).first()
            if row is None:
                return False
            write_events(connection, self._sql, [CallerUnblocked(row.caller, key, why, by)], "", at)
            return True

    def of(self, number: str) -> Block | None:
        """The number's latest block, standing or not."""
        with reading(self._engine) as connection:
            row = connection.execute(select(blocks).where(blocks.c.key == self._key(number))).first()
        return Block(*row) if row else None

    def standing(self) -> list[Block]:
        """The blocks that refuse calls now, newest first."""
        now = instant(self._clock.now())
        with reading(self._engine) as connection:
            found = select(blocks).where(blocks.c.lifted_at == "", blocks.c.until > now)
            return [Block(*row) for row in connection.execute(found.order_by(blocks.c.at.desc()))]
