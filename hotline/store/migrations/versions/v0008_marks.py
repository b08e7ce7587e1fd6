"""Marks: what staff said last of a number.

Revision ID: v0008
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0008"
down_revision = "v0007"


def upgrade() -> None:
    """Add one table: the release before goes on working beside this one."""
    op.create_table(
        "marks",
        sa.Column("key", sa.Text(), nullable=False, comment="the number's key"),
        sa.Column("caller", sa.Text(), nullable=False, comment="masked"),
        sa.Column("word", sa.Text(), nullable=False, comment="abusive, prank or genuine: what staff said last"),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("extends", sa.Text(), nullable=False, comment="who said ill of it before, within the term, or empty"),
        sa.CheckConstraint("word = 'genuine' OR extends <> \"by\"", name="marks_take_two_to_extend"),
        sa.PrimaryKeyConstraint("key", name="marks_pkey"),
    )
