"""The few facts about a database as a whole: which contest is on, and whether all in it is a rehearsal."""

from __future__ import annotations

from sqlalchemy import Connection, select

from hotline.store.database import upsert
from hotline.store.schema import meta

CONTEST = "contest"
"""The name of the contest that is on."""

REHEARSAL = "rehearsal"
"""Set when every call in this database is a rehearsal's; such a database never serves a real line."""


def get(connection: Connection, key: str) -> str | None:
    """What stands under `key`, None when nothing does."""
    return connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar()


def put(connection: Connection, key: str, value: str) -> None:
    """Write `value` under `key`, over what stood there."""
    statement = upsert(connection, meta).values(key=key, value=value)
    connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_={"value": value}))
