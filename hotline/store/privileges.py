"""What the application's role may do in a PostgreSQL database that another role owns.

The owner migrates; web, worker and relay sign in as a role that can add to the ledger and cannot change or remove what
is in it, whatever a bug or a stolen password makes it try. On the other tables it may do what the code does there, and
nothing with the tables themselves. A new table is listed here, or a test says that it is not.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, Engine, text

from hotline.errors import SetupError
from hotline.store.database import reading, writing

ADD = ("SELECT", "INSERT")
CHANGE = (*ADD, "UPDATE")
REPLACE = (*ADD, "DELETE")
ANYTHING = (*ADD, "UPDATE", "DELETE")

MAY: Mapping[str, tuple[str, ...]] = {
    "events": ADD,
    "seals": ADD,
    "turns": ADD,
    "calls": ANYTHING,  # a first ring that came to nothing is forgotten
    "drafts": ANYTHING,
    "pins": ANYTHING,
    "pin_attempts": CHANGE,
    "outbox": CHANGE,
    "results": CHANGE,
    "findings": REPLACE,
    "contests": CHANGE,
    "contest_files": REPLACE,
    "chair_numbers": ANYTHING,
    "blocks": CHANGE,
    "marks": CHANGE,
    "conditions": CHANGE,
    "alerts": CHANGE,
    "alert_notices": ADD,
    "call_backs": CHANGE,
    "staff": CHANGE,
    "staff_sessions": CHANGE,
    "staff_attempts": CHANGE,
    "claims": ANYTHING,
    "flags": CHANGE,
    "proposals": ADD,
    "decisions": ADD,
    "meta": CHANGE,
    "alembic_version": ("SELECT",),
}
"""Table to what may be done with its rows. Numbers an identity column gives out need no privilege."""

LEDGER = ("events", "seals")
NEVER = ("UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
"""A trigger of one's own could change an event on its way in."""

OWNS = text("""
SELECT rolsuper OR rolcreaterole
    OR pg_has_role(:role, (SELECT nspowner FROM pg_namespace WHERE nspname = current_schema()), 'MEMBER')
    OR pg_has_role(:role, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'MEMBER')
    OR EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace
               AND relname = ANY(:tables) AND pg_has_role(:role, relowner, 'MEMBER'))
FROM pg_roles WHERE rolname = :role""")
"""Whether a role is above privileges or can put itself above them; no row when there is no such role."""

SEQUENCES = text("""
SELECT pg_get_serial_sequence(quote_ident(table_name), column_name) FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ANY(:tables) AND is_identity = 'YES'""")


def grant(engine: Engine, role: str) -> None:
    """Give `role` what stands in `MAY` on the tables there are, and take everything else there from it and everybody.

    Run as the owner, after every migration; all of it or nothing. Raises `SetupError` when this is no PostgreSQL, there
    is no such role, or it would still be able to change the ledger.
    """
    if engine.dialect.name != "postgresql":
        raise SetupError("--role is for PostgreSQL: a SQLite file has no roles, only the permissions of the file")
    with writing(engine) as connection:
        tables = _present(connection)
        _require_apart(connection, role, tables)
        quote = connection.dialect.identifier_preparer.quote
        schema = quote(connection.execute(text("SELECT current_schema()")).scalar_one())
        connection.exec_driver_sql(f"REVOKE ALL ON SCHEMA {schema} FROM {quote(role)}")
        connection.exec_driver_sql(f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC")
        connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {quote(role)}")
        for table in tables:
            connection.exec_driver_sql(f"REVOKE ALL ON {quote(table)} FROM PUBLIC, {quote(role)}")
            connection.exec_driver_sql(f"GRANT {', '.join(MAY[table])} ON {quote(table)} TO {quote(role)}")
        for sequence in connection.execute(SEQUENCES, {"tables": tables}).scalars().all():
            connection.exec_driver_sql(f"GRANT SELECT ON SEQUENCE {sequence} TO {quote(role)}")  # pg_dump reads them
        _require_powerless(connection, role, tables)


def require_granted(engine: Engine) -> None:
    """Raise `SetupError` when the role that is signed in lacks what the code does; SQLite has no roles."""
    if engine.dialect.name != "postgresql":
        return
    with reading(engine) as connection:
        for table in _present(connection):
            for verb in MAY[table]:
                if not _may(connection, "current_user", table, verb):
                    raise SetupError(
                        f"DATABASE_URL: its role has no {verb} on {table}: "
                        "run hotline migrate --role NAME with the owner's DATABASE_URL"
                    )


def _present(connection: Connection) -> list[str]:
    found = connection.execute(text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")).scalars()
    return sorted(MAY.keys() & set(found))


def _require_apart(connection: Connection, role: str, tables: list[str]) -> None:
    owns = connection.execute(OWNS, {"role": role, "tables": tables}).scalar()
    if owns is None:
        raise SetupError(f"there is no role {role}: make it first, CREATE ROLE {role} LOGIN PASSWORD '...'")
    if owns:
        raise SetupError(
            f"the role {role} owns the database, its schema or a table, is a superuser or may make roles, or is a "
            "member of one that is: nothing can be kept from it. Make a role of its own for the application"
        )


def _require_powerless(connection: Connection, role: str, tables: list[str]) -> None:
    """What others gave, through a role it is a member of or to everybody, is not ours to take away."""
    left = [
        f"{verb} on {table}"
        for table in LEDGER
        if table in tables
        for verb in NEVER
        if _may(connection, ":role", table, verb, role)
    ]
    if connection.execute(
        text("SELECT has_schema_privilege(:role, current_schema(), 'CREATE')"), {"role": role}
    ).scalar():
        left.append("CREATE on the schema")
    if left:
        raise SetupError(
            f"the role {role} would still have {', '.join(left)}, by a role it is a member of or by what everybody may "
            "do: take that away first; nothing was changed"
        )


def _may(connection: Connection, who: str, table: str, verb: str, role: str = "") -> bool:
    asked = text(f"SELECT has_table_privilege({who}, quote_ident(:table), :verb)")
    values = {"table": table, "verb": verb, **({"role": role} if role else {})}
    return bool(connection.execute(asked, values).scalar())
