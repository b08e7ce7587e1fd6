"""The ledger and its seal as they lie there, for a verifier who trusts neither: every row, however broken.

Read from the database itself, in one steady view, or from a bundle (`bundle`). A row that cannot be read is told as
such, with where it is, and never ends the reading; where the file is damaged beyond that, the reading says so and ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sqlalchemy import Engine, select

from hotline.store.schema import events, seals
from hotline.store.seal import ROW

LINK = tuple(seals.c.keys())
"""The columns of a link, in their order."""

CHUNK = 2_000

_TYPES = {
    **dict.fromkeys(("seq", "n", "first", "last", "count"), ("integer",)),
    "version": ("integer", "null"),
    "rows": ("blob",),
}
"""How SQLite keeps what is no text."""


@dataclass(frozen=True)
class Broken:
    """Something that cannot be read: the `seq` or `n` it stands at (None when even that is lost), and what is wrong."""

    place: int | None
    why: str


Read = Mapping[str, Any] | Broken
"""A row by column name, or that it cannot be read."""


@dataclass(frozen=True)
class Evidence:
    """What there is to verify: links first, then events in the order they are kept, and complaints of the database."""

    links: Iterator[Read]
    events: Iterator[Read]
    complaints: Iterator[str]


@contextmanager
def evidence(engine: Engine) -> Iterator[Evidence]:
    """The database's own rows. Iterate inside the block."""
    if engine.dialect.name == "sqlite":
        with closing(_opened(str(engine.url.database))) as raw:
            raw.execute("BEGIN")
            yield Evidence(_sqlite(raw, "seals", LINK), _sqlite(raw, "events", ROW), _complaints(raw))
    else:
        with engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
            links = connection.execute(select(seals).order_by(seals.c.n).execution_options(yield_per=100))
            columns = [events.c[name] for name in ROW]
            rows = connection.execute(select(*columns).order_by(events.c.seq).execution_options(yield_per=CHUNK))
            yield Evidence(map(dict, links.mappings()), map(dict, rows.mappings()), iter(()))


def _opened(path: str) -> sqlite3.Connection:
    """The file by the driver alone, texts as bytes: text that is no text must not end the reading."""
    raw = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, isolation_level=None)
    raw.text_factory = bytes
    return raw


def _sqlite(raw: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> Iterator[Read]:
    """A table in its order; behind a damaged row each by its number, so that one bad row hides no other."""
    key = columns[0]
    quoted = ", ".join(f'"{name}"' for name in columns)
    types = "||' '||".join(f'typeof("{name}")' for name in columns)
    select = f"SELECT {quoted}, {types} FROM {table}"  # noqa: S608 - our own names
    last = 0
    try:
        for row in raw.execute(f'{select} ORDER BY "{key}"'):
            last = row[0]
            yield _told(columns, row)
    except sqlite3.DatabaseError as error:
        yield from _one_by_one(raw, f'{select} WHERE "{key}" = ?', table, columns, last, error)


def _one_by_one(
    raw: sqlite3.Connection, by_key: str, table: str, columns: tuple[str, ...], last: int, damage: sqlite3.Error
) -> Iterator[Read]:
    try:
        end = raw.execute(f'SELECT max("{columns[0]}") FROM {table}').fetchone()[0] or 0  # noqa: S608 - our own names
    except sqlite3.DatabaseError:
        yield Broken(None, f"the file is damaged from here on: {damage}")
        return
    for number in range(last + 1, end + 1):
        try:
            row = raw.execute(by_key, (number,)).fetchone()
            if row is not None:
                yield _told(columns, row)
        except sqlite3.DatabaseError as error:
            yield Broken(number, f"the file is damaged here: {error}")


def _told(columns: tuple[str, ...], values: tuple[Any, ...]) -> Read:
    """Bytes as text again. SQLite keeps any type in any column, so that the right bytes may be of the wrong one."""
    row, place = dict(zip(columns, values, strict=False)), values[0]
    for (name, value), kept in zip(row.items(), values[-1].decode().split(), strict=True):
        if kept not in _TYPES.get(name, ("text",)):
            return Broken(place, f"holds a {kept} in {name}: {value!r:.40}")
    try:
        return {name: _text(value) if name != "rows" else value for name, value in row.items()}
    except UnicodeDecodeError:
        return Broken(place, "holds bytes that are no text")


def _text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def _complaints(raw: sqlite3.Connection) -> Iterator[str]:
    """What SQLite itself finds wrong with the file: an index that tells another story than its table, lost pages."""
    try:
        found = [bytes(row[0]).decode(errors="replace") for row in raw.execute("PRAGMA integrity_check(20)")]
    except sqlite3.DatabaseError as error:
        found = [str(error)]
    return (complaint for complaint in found if complaint != "ok")
