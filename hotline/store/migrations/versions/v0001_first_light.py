"""First light: the roster, calls, the ledger and what is worked out from it.

Revision ID: v0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0001"
down_revision = None

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

UNCHANGED = ("UPDATE", "DELETE")

SQLITE_INSERT = """
CREATE TRIGGER events_refuse_replace BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE seq = NEW.seq)
  OR (NEW.kind = 'ReportConfirmed' AND EXISTS (
        SELECT 1 FROM events WHERE precinct = NEW.precinct AND version = NEW.version AND kind = 'ReportConfirmed'))
BEGIN SELECT RAISE(ABORT, 'events are never changed or removed'); END"""
"""INSERT OR REPLACE takes the old row away without asking the trigger on DELETE."""

POSTGRES_FUNCTION = """
CREATE FUNCTION events_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'events are never changed or removed'; END $$"""


def upgrade() -> None:
    """Make every table, then have the database itself refuse to change an event."""
    _contests()
    _calls()
    _ledger()
    _projections()
    if op.get_bind().dialect.name == "sqlite":
        _refuse_on_sqlite()
    else:
        _refuse_on_postgres()


def _refuse_on_sqlite() -> None:
    for verb in UNCHANGED:
        op.execute(
            f"CREATE TRIGGER events_refuse_{verb.lower()} BEFORE {verb} ON events "
            "BEGIN SELECT RAISE(ABORT, 'events are never changed or removed'); END"
        )
    op.execute(SQLITE_INSERT)


def _refuse_on_postgres() -> None:
    op.execute(POSTGRES_FUNCTION)
    for verb in (*UNCHANGED, "TRUNCATE"):
        op.execute(
            f"CREATE TRIGGER events_refuse_{verb.lower()} BEFORE {verb} ON events "
            "FOR EACH STATEMENT EXECUTE FUNCTION events_refuse()"
        )


def _contests() -> None:
    """What is fixed before the night, and who may report it."""
    op.create_table(
        "contests",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False, comment="SHA-256 over the folder's names and bytes"),
        sa.Column("precincts", sa.Integer(), nullable=False),
        sa.Column("loaded_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="contests_pkey"),
    )
    op.create_table(
        "contest_files",
        sa.Column("contest", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["contest"], ["contests.name"], name="contest_files_contest_fkey"),
        sa.PrimaryKeyConstraint("contest", "file", name="contest_files_pkey"),
    )
    op.create_table(
        "pins",
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column("pin", sa.Text(), nullable=False, comment="Argon2id over HMAC-SHA-256(pepper, precinct and PIN)"),
        sa.Column(
            "correction", sa.Text(), nullable=False, comment="HMAC-SHA-256(pepper, precinct and correction code)"
        ),
        sa.Column("pin_pepper", sa.Text(), nullable=False, comment="which pepper: its fingerprint, never the pepper"),
        sa.Column("correction_pepper", sa.Text(), nullable=False),
        sa.Column("issued_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("precinct", name="pins_pkey"),
    )
    op.create_table(
        "chair_numbers",
        sa.Column("number", sa.Text(), nullable=False, comment="E.164"),
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", "precinct", name="chair_numbers_pkey"),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="meta_pkey"),
    )


def _calls() -> None:
    """Calls, their turns and their half-given reports."""
    op.create_table(
        "calls",
        sa.Column("sid", sa.Text(), nullable=False),
        sa.Column("caller", sa.Text(), nullable=False, comment="whole E.164 number, empty when withheld"),
        sa.Column("called", sa.Text(), nullable=False),
        sa.Column("answered_at", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False, comment="the next turn expected, 1 after the first ring"),
        sa.Column("session", sa.Text(), nullable=False, comment="the dialog's session, JSON"),
        sa.Column("precinct", sa.Text(), nullable=False, comment="signed in for; empty before the PIN"),
        sa.Column(
            "holds", sa.Text(), nullable=False, comment="the precinct whose report this call has open; empty when none"
        ),
        sa.Column("status", sa.Text(), nullable=False, comment="the carrier's last word, empty while the call lives"),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("sid", name="calls_pkey"),
        sqlite_with_rowid=False,
    )
    op.create_index("calls_caller", "calls", ["caller", "answered_at"], unique=False)
    op.create_table(
        "turns",
        sa.Column("call", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("answer", sa.Text(), nullable=False, comment="what was said, byte for byte"),
        sa.ForeignKeyConstraint(["call"], ["calls.sid"], name="turns_call_fkey"),
        sa.PrimaryKeyConstraint("call", "n", name="turns_pkey"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "drafts",
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column("call", sa.Text(), nullable=False, comment="the newest call that opened the report"),
        sa.Column("parked", sa.Text(), nullable=False, comment="the draft, JSON, once that call went elsewhere"),
        sa.ForeignKeyConstraint(["call"], ["calls.sid"], name="drafts_call_fkey"),
        sa.PrimaryKeyConstraint("precinct", name="drafts_pkey"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pin_attempts",
        sa.Column("id", SEQUENCE, sa.Identity(always=False), nullable=False),
        sa.Column("call", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column(
            "registered", sa.Boolean(), nullable=False, comment="the caller's number is on file for this precinct"
        ),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False, comment="pending, accepted or refused"),
        sa.Column("again_at", sa.Text(), nullable=False, comment="the latest try since that was not judged, or empty"),
        sa.ForeignKeyConstraint(["call"], ["calls.sid"], name="pin_attempts_call_fkey"),
        sa.PrimaryKeyConstraint("id", name="pin_attempts_pkey"),
        sa.UniqueConstraint("call", "turn", name="pin_attempts_call_turn_once"),
    )
    op.create_index("pin_attempts_by_precinct", "pin_attempts", ["precinct", "id"], unique=False)


def _ledger() -> None:
    """The ledger and the jobs it gives out."""
    op.create_table(
        "events",
        sa.Column("seq", SEQUENCE, sa.Identity(always=True), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("call", sa.Text(), nullable=False, comment="empty for staff and commands"),
        sa.Column("precinct", sa.Text(), nullable=False, comment="empty where none applies"),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True, comment="the report version the event speaks of"),
        sa.Column("body", sa.Text(), nullable=False, comment="the event's fields, JSON"),
        sa.PrimaryKeyConstraint("seq", name="events_pkey"),
    )
    op.create_index("events_by_call", "events", ["call", "seq"], unique=False)
    op.create_index("events_by_precinct", "events", ["precinct", "seq"], unique=False)
    op.create_index(
        "events_version_once",
        "events",
        ["precinct", "version"],
        unique=True,
        sqlite_where=sa.text("kind = 'ReportConfirmed'"),
        postgresql_where=sa.text("kind = 'ReportConfirmed'"),
    )
    op.create_table(
        "outbox",
        sa.Column("job", sa.Text(), nullable=False, comment="tab-<precinct>-<version>-<seq>"),
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("relayed_at", sa.Text(), nullable=True, comment="last given to the queue"),
        sa.Column("acknowledged_at", sa.Text(), nullable=True, comment="its effect is committed"),
        sa.PrimaryKeyConstraint("job", name="outbox_pkey"),
    )
    op.create_index(
        "outbox_open",
        "outbox",
        ["seq"],
        unique=False,
        sqlite_where=sa.text("acknowledged_at IS NULL"),
        postgresql_where=sa.text("acknowledged_at IS NULL"),
    )


def _projections() -> None:
    """What the workers make of the ledger."""
    op.create_table(
        "results",
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False, comment="the ledger as far as it was read; newer wins"),
        sa.Column("status", sa.Text(), nullable=False, comment="counted, held, closed or outstanding"),
        sa.Column("version", sa.Integer(), nullable=False, comment="0 when no version counts"),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("headcount", sa.Integer(), nullable=True),
        sa.Column("first", sa.Text(), nullable=False, comment="tallies, JSON"),
        sa.Column("final", sa.Text(), nullable=False, comment="tallies, JSON"),
        sa.Column("delegates", sa.Text(), nullable=False, comment="tallies, JSON"),
        sa.Column("digest", sa.Text(), nullable=False, comment="of the tallies, to find the same report twice"),
        sa.Column("tabulated_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("precinct", name="results_pkey"),
    )
    op.create_index("results_digest", "results", ["digest"], unique=False)
    op.create_table(
        "findings",
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column(
            "place", sa.Integer(), autoincrement=False, nullable=False, comment="order in which the checks named it"
        ),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("numbers", sa.Text(), nullable=False, comment="JSON"),
        sa.Column("groups", sa.Text(), nullable=False, comment="JSON list"),
        sa.Column("other", sa.Text(), nullable=False, comment="the other precinct, empty when none"),
        sa.ForeignKeyConstraint(["precinct"], ["results.precinct"], name="findings_precinct_fkey"),
        sa.PrimaryKeyConstraint("precinct", "place", name="findings_pkey"),
    )
