"""On guard: blocks, the state of the night, alerts, and what is needed to read a number's marks at a ring.

Revision ID: v0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0002"
down_revision = "v0001"

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
HUNG_UP = "status = 'completed' AND turn = 1 AND seconds < 5"
STRIKES = "kind IN ('SignInFailed', 'ChallengeFailed')"


def upgrade() -> None:
    """Add tables, columns and indexes only: the release before goes on working beside this one."""
    _known_at_the_ring()
    _decided()


def _known_at_the_ring() -> None:
    op.add_column(
        "calls",
        sa.Column("block", sa.Text(), nullable=False, server_default="", comment="+1 and NPA-NXX-X, else empty"),
    )
    op.create_index("calls_block", "calls", ["block", "answered_at"], unique=False)
    op.create_index(
        "calls_live",
        "calls",
        ["answered_at"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index(
        "calls_hung_up",
        "calls",
        ["answered_at"],
        unique=False,
        sqlite_where=sa.text(HUNG_UP),
        postgresql_where=sa.text(HUNG_UP),
    )
    op.create_index(
        "events_strikes",
        "events",
        ["at"],
        unique=False,
        sqlite_where=sa.text(STRIKES),
        postgresql_where=sa.text(STRIKES),
    )
    op.add_column(
        "pin_attempts",
        sa.Column("caller", sa.Text(), nullable=False, server_default="", comment="the number's key, or empty"),
    )
    op.add_column(
        "pin_attempts",
        sa.Column("trace", sa.Text(), nullable=False, server_default="", comment="the refused PIN's keyed trace"),
    )
    op.add_column(
        "pin_attempts",
        sa.Column("pattern", sa.Text(), nullable=False, server_default="", comment="why it seems guessed, or empty"),
    )
    op.create_index("pin_attempts_by_caller", "pin_attempts", ["caller", "at"], unique=False)
    op.create_index("pin_attempts_by_time", "pin_attempts", ["at", "outcome"], unique=False)


def _decided() -> None:
    op.create_table(
        "blocks",
        sa.Column("key", sa.Text(), nullable=False, comment="the number's key"),
        sa.Column("caller", sa.Text(), nullable=False, comment="masked"),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.Column("lifted_at", sa.Text(), nullable=False, comment="empty while the block stands"),
        sa.PrimaryKeyConstraint("key", name="blocks_pkey"),
    )
    op.create_table(
        "conditions",
        sa.Column("subject", sa.Text(), nullable=False, comment="event, or the key of a number of ours"),
        sa.Column("value", sa.Text(), nullable=False, comment="the event's state, or the number's threat level"),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("subject", name="conditions_pkey"),
    )
    op.create_table(
        "alerts",
        sa.Column("id", SEQUENCE, sa.Identity(always=False), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column(
            "subject", sa.Text(), nullable=False, comment="what it is about, e.g. a precinct; empty for the line"
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("raised_at", sa.Text(), nullable=False),
        sa.Column("cleared_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="alerts_pkey"),
    )
    op.create_index(
        "alerts_open_once",
        "alerts",
        ["kind", "subject"],
        unique=True,
        sqlite_where=sa.text("cleared_at IS NULL"),
        postgresql_where=sa.text("cleared_at IS NULL"),
    )
