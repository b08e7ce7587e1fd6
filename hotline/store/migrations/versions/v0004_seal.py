"""The seal: a chain of signed links over the ledger. Like events, links are never changed or removed.

Revision ID: v0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0004"
down_revision = "v0003"

REFUSED = "seals are never changed or removed"

VERBS = {"sqlite": ("UPDATE", "DELETE"), "postgresql": ("UPDATE", "DELETE", "TRUNCATE")}

SQLITE_INSERT = """
CREATE TRIGGER seals_refuse_replace BEFORE INSERT ON seals WHEN EXISTS (SELECT 1 FROM seals WHERE n = NEW.n)
BEGIN SELECT RAISE(ABORT, 'seals are never changed or removed'); END"""

POSTGRES_FUNCTION = f"""
CREATE FUNCTION seals_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$"""


def upgrade() -> None:
    """Make the table and have the database itself refuse to change a link."""
    op.create_table(
        "seals",
        sa.Column(
            "n",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
            comment="from 1, without a gap",
        ),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False, comment="the highest seq covered"),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("root", sa.Text(), nullable=False, comment="Merkle root over the rows of the events"),
        sa.Column("leaves", sa.Text(), nullable=False, comment="SHA-256 of rows"),
        sa.Column("previous", sa.Text(), nullable=False, comment="the head of the link before"),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False, comment="fingerprint of the public key"),
        sa.Column(
            "rows", sa.LargeBinary(), nullable=False, comment="40 bytes an event: its seq and the hash of its row"
        ),
        sa.Column("head", sa.Text(), nullable=False, comment="SHA-256 of the columns up to key"),
        sa.Column("signature", sa.Text(), nullable=False, comment="Ed25519 over the head"),
        sa.PrimaryKeyConstraint("n", name="seals_pkey"),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(SQLITE_INSERT)
        does = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    else:
        op.execute(POSTGRES_FUNCTION)
        does = "FOR EACH STATEMENT EXECUTE FUNCTION seals_refuse()"
    for verb in VERBS[op.get_bind().dialect.name]:
        op.execute(f"CREATE TRIGGER seals_refuse_{verb.lower()} BEFORE {verb} ON seals {does}")
