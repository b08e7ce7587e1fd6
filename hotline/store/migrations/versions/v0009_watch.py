"""Watching over the line: calls by time, and which alerts were passed on.

Revision ID: v0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0009"
down_revision = "v0008"

BEGUN_OR_ENDED = "kind IN ('CallScreened', 'CallEnded')"


def upgrade() -> None:
    """Add an index and a table: the release before goes on working beside this one."""
    op.create_index(
        "events_calls",
        "events",
        ["at"],
        unique=False,
        sqlite_where=sa.text(BEGUN_OR_ENDED),
        postgresql_where=sa.text(BEGUN_OR_ENDED),
    )
    op.create_table(
        "alert_notices",
        sa.Column("alert", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Text(), nullable=False, comment="when somebody took it to pass it on; nobody else does"),
        sa.ForeignKeyConstraint(["alert"], ["alerts.id"], name="alert_notices_alert_fkey"),
        sa.PrimaryKeyConstraint("alert", name="alert_notices_pkey"),
    )
