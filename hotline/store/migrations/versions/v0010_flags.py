"""Flags: calls a person should look at, those there are already among them; and an index of what staff did.

Revision ID: v0010
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0010"
down_revision = "v0009"

OPEN = "word = ''"
BY_STAFF = 'body LIKE \'%"by":"%\''
SCORES = {"sqlite": "json_extract(body, '$.score')", "postgresql": "CAST(CAST(body AS json) ->> 'score' AS integer)"}
BEFORE = """
INSERT INTO flags (call, at, risk, reasons, word, why, by)
SELECT events.call, min(events.at), max({score}), ' screened ', '', '', '' FROM events JOIN calls ON sid = events.call
WHERE kind = 'CallScreened' AND body NOT LIKE '{{"decision":"admit"%' GROUP BY events.call"""


def upgrade() -> None:
    """Add one table and fill it with what the release before screened; that one goes on working, and flags nothing."""
    op.create_table(
        "flags",
        sa.Column("call", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("risk", sa.Integer(), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False, comment="between spaces, one before and one after each"),
        sa.Column("word", sa.Text(), nullable=False, comment="what staff said of it, empty while it waits"),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["call"], ["calls.sid"], name="flags_call_fkey"),
        sa.PrimaryKeyConstraint("call", name="flags_pkey"),
    )
    op.create_index(
        "flags_open",
        "flags",
        [sa.text("risk DESC"), "at"],
        unique=False,
        sqlite_where=sa.text(OPEN),
        postgresql_where=sa.text(OPEN),
    )
    op.create_index("flags_decided", "flags", ["decided_at"], unique=False)
    op.create_index(
        "events_by_staff",
        "events",
        ["seq"],
        unique=False,
        sqlite_where=sa.text(BY_STAFF.replace(":", r"\:")),
        postgresql_where=sa.text(BY_STAFF.replace(":", r"\:")),
    )
    op.execute(sa.text(BEFORE.format(score=SCORES[op.get_bind().dialect.name]).replace(":", r"\:")))
