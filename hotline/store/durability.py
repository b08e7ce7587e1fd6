"""Whether the database really keeps what it says it kept: looked at once, when a part of a real line starts.

A confirmed report must outlive a power cut, so what is asked is not the configuration file but the database itself, as
it answers this very connection.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sqlalchemy import Connection, Engine, text

from hotline.errors import SetupError
from hotline.store.database import reading

MOUNTS = Path("/proc/self/mountinfo")
NETWORK = {
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs", "ceph", "lustre", "glusterfs", "beegfs", "davfs"),
    *("fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.rclone", "fuse.davfs"),
}
"""File systems of other machines, as Linux names them. SQLite's log needs memory that its processes share, and locks
that hold: over a network it has neither."""

FULL, EXTRA = 2, 3
"""How SQLite numbers its levels of `synchronous`."""


def require_durable(engine: Engine) -> None:
    """Raise `SetupError` saying what to set, unless a commit is on the disk when the database says so."""
    with reading(engine) as connection:
        if engine.dialect.name == "postgresql":
            _postgresql(connection)
            return
        _sqlite(connection)
    assert engine.url.database is not None
    _own_disk(Path(engine.url.database))


def _sqlite(connection: Connection) -> None:
    journal = connection.execute(text("PRAGMA journal_mode")).scalar_one()
    if journal != "wal":
        raise SetupError(
            f"DATABASE_URL: SQLite keeps a {journal} journal and will not keep a write-ahead log here: "
            "move the file to a local disk, and close what else has it open"
        )
    level = connection.execute(text("PRAGMA synchronous")).scalar_one()
    if level not in (FULL, EXTRA):
        raise SetupError(f"DATABASE_URL: SQLite's synchronous is {level}, and a confirmed report needs {FULL} (FULL)")


def _own_disk(file: Path) -> None:
    kind = file_system(file, MOUNTS.read_text("utf-8")) if sys.platform == "linux" else ""
    if kind in NETWORK:
        raise SetupError(
            f"DATABASE_URL: {file} is on {kind}, a network file system, where SQLite loses what it confirmed: "
            "set HOTLINE_DATA to a folder on this machine's own disk, or use PostgreSQL"
        )


def file_system(file: Path, mounts: str) -> str:
    """What kind of file system `file` is on by Linux's table of `mounts` (proc(5), mountinfo); "" when none fits."""
    whole, best, kind = file.resolve(), -1, ""
    for line in mounts.splitlines():
        about, _, source = line.partition(" - ")
        point = Path(about.split()[4].encode().decode("unicode_escape"))  # a space in it is written \040
        if whole.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), source.split()[0]
    return kind


def _postgresql(connection: Connection) -> None:
    """`synchronous_commit` is asked as this role has it here: a role or a database may have its own."""
    is_set = {
        name: connection.execute(text(f"SHOW {name}")).scalar_one()
        for name in ("synchronous_commit", "fsync", "full_page_writes")
    }
    for name, value in is_set.items():
        if value == "off":
            raise SetupError(
                f"DATABASE_URL: PostgreSQL's {name} is off, so a confirmed report can be lost: set it to on "
                "(postgresql.conf, or ALTER SYSTEM, ALTER DATABASE, ALTER ROLE, wherever it was turned off)"
            )
