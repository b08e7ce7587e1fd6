"""Staff: accounts of the console, their sessions, and tries to sign in.

Revision ID: v0006
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0006"
down_revision = "v0005"

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add three tables: the release before goes on working beside this one."""
    op.create_table(
        "staff",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False, comment="Argon2id"),
        sa.Column("is_given", sa.Boolean(), nullable=False, comment="the password was made for them, to be used once"),
        sa.Column("secret", sa.Text(), nullable=False, comment="what codes are made of, sealed"),
        sa.Column(
            "step",
            sa.BigInteger(),
            nullable=False,
            comment="the last code's 30 seconds; none of before is taken again",
        ),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.Column("disabled_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("name", name="staff_pkey"),
    )
    op.create_table(
        "staff_sessions",
        sa.Column("token", sa.Text(), nullable=False, comment="SHA-256 of what the browser holds"),
        sa.Column("staff", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False, comment="where the sign-in came from"),
        sa.Column("began_at", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["staff"], ["staff.name"], name="staff_sessions_staff_fkey"),
        sa.PrimaryKeyConstraint("token", name="staff_sessions_pkey"),
    )
    op.create_index("staff_sessions_staff", "staff_sessions", ["staff", "began_at"], unique=False)
    op.create_table(
        "staff_attempts",
        sa.Column("id", SEQUENCE, sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False, comment="keyed: people type passwords here too"),
        sa.Column("address", sa.Text(), nullable=False, comment="keyed"),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("is_refused", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="staff_attempts_pkey"),
    )
    op.create_index("staff_attempts_address", "staff_attempts", ["address", "at"], unique=False)
    op.create_index("staff_attempts_name", "staff_attempts", ["name", "at"], unique=False)
