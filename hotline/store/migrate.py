"""Brings a database to the newest schema; says whether it is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

from hotline.errors import SetupError
from hotline.store.database import reading, writing
from hotline.store.text import told_by

FOLDER = Path(__file__).parent / "migrations"
INSUFFICIENT_PRIVILEGE = "42501"
"""How PostgreSQL numbers "permission denied" and "must be owner"."""


def migrate(engine: Engine) -> None:
    """Run every migration that is missing, all in one transaction. Several processes may start this at once.

    Raises `SetupError` when the role that is signed in may not.
    """
    with _allowed(), writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL lock_timeout = 0"))  # another migration takes as long as it takes
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('hotline migrate'))"))
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def _allowed() -> Iterator[None]:
    try:
        yield
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", None) != INSUFFICIENT_PRIVILEGE:
            raise
        raise SetupError(f"{told_by(error)}: run hotline migrate with the owner's DATABASE_URL") from error


def require_current(engine: Engine) -> None:
    """Raise `SetupError` unless the database has exactly the schema this release knows."""
    with reading(engine) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    wanted = ScriptDirectory.from_config(_config()).get_current_head()
    if found != wanted:
        raise SetupError(
            f"The database is at schema {found or 'none'}, this release needs {wanted}: run hotline migrate"
        )


def require_started(engine: Engine) -> None:
    """Raise `SetupError` when the database lacks tables or columns this release works with.

    One that a newer release has migrated will do: migrations only add (see `migrations`), so that a release can be
    rolled back while calls go on.
    """
    with reading(engine) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    newest, *older = known_schemas()
    if found is None or found in older:
        raise SetupError(
            f"The database is at schema {found or 'none'}, this release needs {newest}: run hotline migrate"
        )


def known_schemas() -> tuple[str, ...]:
    """Every schema this release knows, the newest first."""
    return tuple(each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
