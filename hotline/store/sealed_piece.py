"""A piece of the sealed ledger: some links that follow one another, and every event that stands where they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.exc import DatabaseError

from hotline.store.database import reading
from hotline.store.schema import events, seals
from hotline.store.seal import ROW
from hotline.store.text import told_by

MOST_LINKS = 500


@dataclass(frozen=True)
class Piece:
    """`links` in order of `n`, the events behind the last seq before them up to the last one they cover, and what the
    database could not read, "" when it could."""

    links: tuple[Mapping[str, Any], ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    trouble: str = ""


def piece_after(engine: Engine, n: int, last: int, most: int) -> Piece:
    """The links after number `n`, which covers up to `last`: so many that they cover about `most` events, and one at
    least where there is one. Raises `NotRecorded` when the database does not answer."""
    following = select(seals).where(seals.c.n > n).order_by(seals.c.n).limit(MOST_LINKS)
    try:
        with reading(engine) as connection:
            links: list[Mapping[str, Any]] = []
            for row in connection.execute(following).mappings():
                links.append(dict(row))
                if sum(link["count"] for link in links) >= most:
                    break
            if not links:
                return Piece()
            covered = select(*(events.c[name] for name in ROW)).where(
                events.c.seq > last, events.c.seq <= links[-1]["last"]
            )
            rows = tuple(dict(row) for row in connection.execute(covered.order_by(events.c.seq)).mappings())
            return Piece(tuple(links), rows)
    except DatabaseError as damage:
        return Piece(trouble=told_by(damage))
