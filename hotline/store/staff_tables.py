"""The tables of the console: who may use it. Kept on the same metadata as those of `schema`.

No address, password or token stands anywhere else: a session's token only as its SHA-256, the address it came from in
its row alone.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Identity, Index, Table, Text

from hotline.store.schema import Sequence, metadata

staff = Table(
    "staff",
    metadata,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("password", Text, nullable=False, comment="Argon2id"),
    Column("is_given", Boolean, nullable=False, comment="the password was made for them, to be used once"),
    Column("secret", Text, nullable=False, comment="what codes are made of, sealed"),
    Column("step", BigInteger, nullable=False, comment="the last code's 30 seconds; none of before is taken again"),
    Column("made_at", Text, nullable=False),
    Column("disabled_at", Text),
)

staff_sessions = Table(
    "staff_sessions",
    metadata,
    Column("token", Text, primary_key=True, comment="SHA-256 of what the browser holds"),
    Column("staff", Text, ForeignKey("staff.name"), nullable=False),
    Column("address", Text, nullable=False, comment="where the sign-in came from"),
    Column("began_at", Text, nullable=False),
    Column("until", Text, nullable=False),
    Column("ended_at", Text),
    Index("staff_sessions_staff", "staff", "began_at"),
)

staff_attempts = Table(
    "staff_attempts",
    metadata,
    Column("id", Sequence, Identity(), primary_key=True),
    Column("name", Text, nullable=False, comment="keyed: people type passwords here too"),
    Column("address", Text, nullable=False, comment="keyed"),
    Column("at", Text, nullable=False),
    Column("is_refused", Boolean, nullable=False),
    Index("staff_attempts_name", "name", "at"),
    Index("staff_attempts_address", "address", "at"),
)
