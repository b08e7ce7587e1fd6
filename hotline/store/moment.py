"""What stands in a database at one moment, in a few words: enough to tell one copy from another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from hotline.errors import SetupError
from hotline.store import history, meta


@dataclass(frozen=True)
class Moment:
    """`schema` is the revision of the tables, `contest` the one that is on ("" when none is), `newest_seq` the ledger's
    last event, `seal` the newest row of the seals over it, as text, None where nothing is sealed."""

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
    """The last seal, its columns as they are; bytes in hexadecimal."""
    if not inspect(connection).has_table("seals"):
        return None
    row = connection.execute(text("SELECT * FROM seals ORDER BY 1 DESC LIMIT 1")).mappings().first()
    return {name: _shown(value) for name, value in row.items()} if row else None


def _shown(value: object) -> str:
    return bytes(value).hex() if isinstance(value, (bytes, memoryview)) else str(value)
