"""Keeps the seal: every second the events not sealed yet go under one more signed link (see `seal` for what it holds).

On SQLite what is committed is committed in order of `seq`. PostgreSQL numbers an event before its transaction commits,
so a lower number may appear after a higher one: writers share a lock that the sealer takes alone for a moment, and what
it then sees as the highest number is behind every writer. A number missing below it belongs to a transaction that was
undone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, func, insert, select, text

from hotline.clock import Clock
from hotline.store.database import reading, writing
from hotline.store.schema import events, seals
from hotline.store.seal import ROW, Leaf, Link, Signer, fingerprint, leaf, linked, packed
from hotline.store.statements import SEALING
from hotline.store.text import instant

MOST = 5_000
"""Events under one link: more at once only after the sealer was away, and then several links follow."""

_LINK = tuple(seals.c[name] for name in ("n", "first", "last", "count", "root", "leaves", "previous", "at", "key"))


@dataclass(frozen=True)
class Head:
    """Where the chain ends: link `n`, the highest `seq` it covers, its head and signature, when, and by which key."""

    n: int
    last: int
    head: str
    signature: str
    at: str
    key: str


class Seals:
    """Seals events and tells the chain back; guards the engine and the signer."""

    def __init__(self, engine: Engine, clock: Clock, signer: Signer) -> None:
        self._engine, self._clock, self._signer = engine, clock, signer

    @property
    def public_key(self) -> str:
        """The key whoever verifies needs, in hexadecimal."""
        return self._signer.public

    def seal(self) -> int:
        """Put what is committed and not sealed yet under one link, `MOST` events at most; how many there were.

        Two sealers at once: one link is kept, the other sealer gets `NotRecorded`, and nothing is sealed twice.
        """
        upto = self._settled()
        with reading(self._engine) as connection:
            before = _last(connection)
            after = before.last if before else 0
            if upto <= after:
                return 0
            leaves = [_leaf(row) for row in connection.execute(_rows(after, upto))]
        if not leaves:
            return 0
        self._keep(linked(leaves, before, instant(self._clock.now()), fingerprint(self.public_key)), leaves)
        return len(leaves)

    def head(self) -> Head | None:
        """The newest link's head; None before the first."""
        newest = select(seals.c.n, seals.c.last, seals.c.head, seals.c.signature, seals.c.at, seals.c.key)
        with reading(self._engine) as connection:
            row = connection.execute(newest.order_by(seals.c.n.desc()).limit(1)).first()
        return Head(*row) if row else None

    def behind(self) -> int:
        """How many numbers the newest event is ahead of the newest link."""
        with reading(self._engine) as connection:
            newest = connection.execute(select(func.max(events.c.seq))).scalar() or 0
            sealed = connection.execute(select(func.max(seals.c.last))).scalar() or 0
        return int(newest - sealed)

    def _keep(self, link: Link, leaves: list[Leaf]) -> None:
        row = {
            **vars(link),
            "rows": packed(leaves),
            "head": link.head,
            "signature": self._signer.sign(link.head),
        }
        with writing(self._engine) as connection:
            connection.execute(insert(seals).values(row))

    def _settled(self) -> int:
        """The highest `seq` below which nothing can appear any more."""
        with (
            writing(self._engine) if self._engine.dialect.name == "postgresql" else reading(self._engine) as connection
        ):
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({SEALING})"))
            return connection.execute(select(func.max(events.c.seq))).scalar() or 0


def _rows(after: int, upto: int) -> Select[Any]:
    columns = (events.c[name] for name in ROW)
    return select(*columns).where(events.c.seq > after, events.c.seq <= upto).order_by(events.c.seq).limit(MOST)


def _leaf(row: Row[Any]) -> Leaf:
    return leaf(row._asdict())


def _last(connection: Connection) -> Link | None:
    row = connection.execute(select(*_LINK).order_by(seals.c.n.desc()).limit(1)).first()
    return Link(*row) if row else None
