"""Call-backs: the numbers on file that are to be called.

Revision ID: v0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0003"
down_revision = "v0002"

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WAITING = "placed_at IS NULL AND closed_at IS NULL"


def upgrade() -> None:
    """Add one table: the release before goes on working beside this one."""
    op.create_table(
        "call_backs",
        sa.Column("id", SEQUENCE, sa.Identity(always=False), nullable=False),
        sa.Column("precinct", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False, comment="to be verified, 0 for none"),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("requested_at", sa.Text(), nullable=False),
        sa.Column("placed_at", sa.Text(), nullable=True, comment="taken to be called"),
        sa.Column("number", sa.Text(), nullable=False, server_default="", comment="the called number's key"),
        sa.Column("call", sa.Text(), nullable=False, server_default="", comment="the call that was picked up"),
        sa.Column("closed_at", sa.Text(), nullable=True, comment="nothing more comes of it"),
        sa.Column("outcome", sa.Text(), nullable=False, server_default="", comment="answered, or why not"),
        sa.PrimaryKeyConstraint("id", name="call_backs_pkey"),
    )
    op.create_index(
        "call_backs_waiting_once",
        "call_backs",
        ["precinct"],
        unique=True,
        sqlite_where=sa.text(WAITING),
        postgresql_where=sa.text(WAITING),
    )
    op.create_index("call_backs_placed", "call_backs", ["precinct", "placed_at"], unique=False)
