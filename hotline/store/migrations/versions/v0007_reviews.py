"""Reviews: who is at what, what takes two, and that nobody approves a proposal of their own.

Revision ID: v0007
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0007"
down_revision = "v0006"

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
VERBS = {"sqlite": ("UPDATE", "DELETE"), "postgresql": ("UPDATE", "DELETE", "TRUNCATE")}
REFUSED = "proposals and decisions are never changed or removed"
KEYS = {"proposals": "id", "decisions": "proposal"}

POSTGRES_FUNCTION = f"""
CREATE FUNCTION reviews_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$"""


def upgrade() -> None:
    """Add three tables, and have the database itself refuse to change what was proposed and decided."""
    _tables()
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if not is_sqlite:
        op.execute(POSTGRES_FUNCTION)
    does = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END" if is_sqlite else "FOR EACH STATEMENT EXECUTE FUNCTION"
    does = does if is_sqlite else f"{does} reviews_refuse()"
    for table, key in KEYS.items():
        for verb in VERBS[op.get_bind().dialect.name]:
            op.execute(f"CREATE TRIGGER {table}_refuse_{verb.lower()} BEFORE {verb} ON {table} {does}")
        if is_sqlite:  # INSERT OR REPLACE takes the old row away without asking the trigger on DELETE
            there = f"EXISTS (SELECT 1 FROM {table} WHERE {key} = NEW.{key})"  # noqa: S608 - our own names
            op.execute(f"CREATE TRIGGER {table}_refuse_replace BEFORE INSERT ON {table} WHEN {there} {does}")


def _tables() -> None:
    op.create_table(
        "claims",
        sa.Column("subject", sa.Text(), nullable=False, comment="report-<precinct> or call-<sid>"),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["staff.name"], name="claims_by_fkey"),
        sa.PrimaryKeyConstraint("subject", name="claims_pkey"),
    )
    op.create_table(
        "proposals",
        sa.Column("id", SEQUENCE, sa.Identity(always=False), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False, comment="it speaks of; 0 where none is meant"),
        sa.Column("changes", sa.Text(), nullable=False, comment="JSON"),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["staff.name"], name="proposals_by_fkey"),
        sa.PrimaryKeyConstraint("id", name="proposals_pkey"),
        sa.UniqueConstraint("id", "by", name="proposals_id_by_once"),
    )
    op.create_index("proposals_precinct", "proposals", ["precinct", "id"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("proposal", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("proposed_by", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False, comment="approved or declined"),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["staff.name"], name="decisions_by_fkey"),
        sa.ForeignKeyConstraint(
            ["proposal", "proposed_by"], ["proposals.id", "proposals.by"], name="decisions_proposal_proposed_by_fkey"
        ),
        sa.PrimaryKeyConstraint("proposal", name="decisions_pkey"),
        sa.CheckConstraint("word <> 'approved' OR by <> proposed_by", name="decisions_by_two"),
    )
