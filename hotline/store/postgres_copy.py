"""Copies a PostgreSQL database with its own pg_dump while others write it, and brings a copy back with pg_restore.

The dump reads the very snapshot its manifest was read in. Owners and privileges stay behind: whoever restores owns the
tables, and `hotline migrate --role` says again what the application may do.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import Engine, text
from sqlalchemy.engine import URL

from hotline.errors import SetupError
from hotline.store.database import reading
from hotline.store.moment import Moment, moment_of

TABLES = text(
    "SELECT count(*) FROM pg_class"
    " WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')"
)


def copy(engine: Engine, to: Path) -> Moment:
    """Dump the database into the new file `to`, in pg_dump's own format; what stood in it. Raises `SetupError`."""
    steady = engine.execution_options(isolation_level="REPEATABLE READ")
    with reading(steady) as connection:
        moment = moment_of(connection)
        snapshot = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
        options = ("--format=custom", "--compress=1", f"--snapshot={snapshot}", f"--file={to}")
        _run("pg_dump", engine.url, *options, "--no-owner", "--no-privileges")
    return moment


def require_empty(engine: Engine) -> None:
    """Refuse a database with any table, and a machine without pg_restore."""
    _program("pg_restore")
    with reading(engine) as connection:
        if connection.execute(TABLES).scalar():
            raise SetupError(
                f"the database {engine.url.database} has tables already: make an empty one with createdb, "
                "and name it in DATABASE_URL"
            )


def bring_back(engine: Engine, stream: IO[bytes], moment: Moment) -> None:
    """Fill the empty database in one transaction, and see that it is what the manifest speaks of."""
    with tempfile.NamedTemporaryFile(prefix="hotline-", suffix=".dump") as dump:
        shutil.copyfileobj(stream, dump)
        dump.flush()
        how = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
        _run("pg_restore", engine.url, *how, dump.name)
    with reading(engine) as connection:
        found = moment_of(connection)
    if found != moment:
        raise SetupError(f"the restored database holds {found}; the backup is of {moment}: do not use it")


def _run(program: str, url: URL, *options: str) -> None:
    with _address(url) as address:
        command = [_program(program), f"--dbname={address}", "--no-password", *options]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        said = ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"]
        raise SetupError(f"{program} failed: {' '.join(said[:2])}")


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise SetupError(
            f"{name} is not on this machine: install PostgreSQL's client programs, of the server's version or newer "
            "(Debian, Ubuntu: apt install postgresql-client; macOS: brew install libpq)"
        )
    return found


@contextmanager
def _address(url: URL) -> Iterator[str]:
    """The address for PostgreSQL's programs. Command lines are for all to see, so a password stands in a file."""
    plain = url.set(drivername="postgresql")._replace(password=None)  # `set` takes None for "as it was"
    if url.password is None:
        yield plain.render_as_string(hide_password=False)
        return
    with tempfile.NamedTemporaryFile("w", prefix="hotline-", suffix=".pgpass", encoding="utf-8") as file:
        file.write("*:*:*:*:" + re.sub(r"([\\:])", r"\\\1", url.password) + "\n")
        file.flush()
        yield plain.update_query_dict({"passfile": file.name}).render_as_string(hide_password=False)
