"""Dead letters: jobs that failed every time are put aside, with what they failed with.

Revision ID: v0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0005"
down_revision = "v0004"


def upgrade() -> None:
    """Add two columns: the release before goes on working beside this one, which queues such jobs for ever."""
    op.add_column(
        "outbox",
        sa.Column("dead_at", sa.Text(), nullable=True, comment="given up on: it failed every time it was tried"),
    )
    op.add_column("outbox", sa.Column("error", sa.Text(), nullable=True, comment="what it failed with, its last line"))
