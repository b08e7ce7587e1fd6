"""The tables of the console: who may use it, who is at what, and what takes two. On the metadata of `schema`'s.

No address, password or token stands anywhere else: a session's token only as its SHA-256, the address it came from in
its row alone.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from hotline.store.schema import Sequence, events, metadata

OPEN_FLAG = "word = ''"

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

claims = Table(
    "claims",
    metadata,
    Column("subject", Text, primary_key=True, comment="report-<precinct> or call-<sid>"),
    Column("by", Text, ForeignKey("staff.name"), nullable=False),
    Column("until", Text, nullable=False),
)

proposals = Table(
    "proposals",
    metadata,
    Column("id", Sequence, Identity(), primary_key=True),
    Column("what", Text, nullable=False),
    Column("precinct", Text, nullable=False),
    Column("version", Integer, nullable=False, comment="it speaks of; 0 where none is meant"),
    Column("changes", Text, nullable=False, comment="JSON"),
    Column("why", Text, nullable=False),
    Column("by", Text, ForeignKey("staff.name"), nullable=False),
    Column("session", Text, nullable=False),
    Column("at", Text, nullable=False),
    UniqueConstraint("id", "by"),
    Index("proposals_precinct", "precinct", "id"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("proposal", BigInteger, primary_key=True, autoincrement=False),
    Column("proposed_by", Text, nullable=False),
    Column("by", Text, ForeignKey("staff.name"), nullable=False),
    Column("word", Text, nullable=False, comment="approved or declined"),
    Column("why", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("at", Text, nullable=False),
    ForeignKeyConstraint(["proposal", "proposed_by"], ["proposals.id", "proposals.by"]),
    CheckConstraint("word <> 'approved' OR by <> proposed_by", name="decisions_by_two"),
)
"""One decision a proposal. The database knows who proposed, and takes no approval of theirs."""

flags = Table(
    "flags",
    metadata,
    Column("call", Text, ForeignKey("calls.sid"), primary_key=True),
    Column("at", Text, nullable=False),
    Column("risk", Integer, nullable=False),
    Column("reasons", Text, nullable=False, comment="between spaces, one before and one after each"),
    Column("word", Text, nullable=False, comment="what staff said of it, empty while it waits"),
    Column("why", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("decided_at", Text),
    Index("flags_decided", "decided_at"),
)
"""Calls a person should look at, and what was said of them. Who said what, and took it back, is in the ledger."""

BY_STAFF = 'body LIKE \'%"by":"%\''
"""Events that say whose word they are. Text of people cannot look like this: its quotes are escaped."""
_BY_STAFF = text(BY_STAFF.replace(":", r"\:"))  # a colon would be a value to SQLAlchemy

waiting = Index(
    "flags_open",
    flags.c.risk.desc(),
    flags.c.at,
    sqlite_where=text(OPEN_FLAG),
    postgresql_where=text(OPEN_FLAG),
)
acts = Index("events_by_staff", events.c.seq, sqlite_where=_BY_STAFF, postgresql_where=_BY_STAFF)
