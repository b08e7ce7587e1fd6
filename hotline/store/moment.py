"""What stands in a database at one moment, in a few words: enough to tell one copy from another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, select

from hotline.errors import SetupError
from hotline.store import history, meta
from hotline.store.schema import seals


@dataclass(frozen=True)
class Moment:
    """`schema` is the revision of the tables, `contest` the one that is on ("" when none is), `newest_seq` the ledger's
    last event, `seal` the newest seal over it (`newest_seal`), None where nothing is sealed."""

    schema: str
    contest: str
    is_rehearsal: bool
    newest_seq: int
    seal: Mapping[str, str] | None


def moment_of(connection: Connection) -> Moment:
    """What the transaction of `connection` sees. Raises `SetupError` for a database that was never migrated."""
    schema = MigrationContext.configure(connection).get_current_revision()
    if schema is None:
        raise SetupError("There is no line in this database: its tables were never made")
    return Moment(
        schema=schema,
        contest=meta.get(connection, meta.CONTEST) or "",
        is_rehearsal=meta.get(connection, meta.REHEARSAL) is not None,
        newest_seq=history.head(connection),
        seal=newest_seal(connection),
    )


def newest_seal(connection: Connection) -> dict[str, str] | None:
    """The last seal: its number, the last event under it, and its head, by which the chain before it is known."""
    if not inspect(connection).has_table(seals.name):
        return None
    newest = select(seals.c.n, seals.c.last, seals.c.head).order_by(seals.c.n.desc()).limit(1)
    row = connection.execute(newest).mappings().first()
    return {name: str(value) for name, value in row.items()} if row else None
