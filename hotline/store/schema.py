"""The tables. What each column promises stands here; how they come to be stands in `migrations`.

Times are UTC text, ISO 8601 to the millisecond ("2020-02-03T19:02:11.123Z"), so that they sort as they read and the
same bytes come back from either database. JSON is text for the same reason. A precinct is its five-digit code. Phone
numbers are whole in `calls` and in `chair_numbers` (they have to be called back) and nowhere else: other tables have
their keys (see `keyed`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "ix": "%(table_name)s_%(column_0_N_name)s",
        "uq": "%(table_name)s_%(column_0_N_name)s_once",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
    }
)


def _where(condition: str) -> dict[str, Any]:
    """Of an index: only the rows that fulfil the condition, in the words of either database."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


Sequence = BigInteger().with_variant(Integer, "sqlite")
"""64 bits on either; SQLite numbers rows by itself only when the column is called INTEGER."""

HUNG_UP = "status = 'completed' AND turn = 1 AND seconds < 5"
"""A call that ended within five seconds without a key."""
STRIKES = "kind IN ('SignInFailed', 'ChallengeFailed')"
"""Events against a caller."""

contests = Table(
    "contests",
    metadata,
    Column("name", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("digest", Text, nullable=False, comment="SHA-256 over the folder's names and bytes"),
    Column("precincts", Integer, nullable=False),
    Column("loaded_at", Text, nullable=False),
)

contest_files = Table(
    "contest_files",
    metadata,
    Column("contest", Text, ForeignKey("contests.name"), primary_key=True),
    Column("file", Text, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

calls = Table(
    "calls",
    metadata,
    Column("sid", Text, primary_key=True),
    Column("caller", Text, nullable=False, comment="whole E.164 number, empty when withheld"),
    Column("called", Text, nullable=False),
    Column("answered_at", Text, nullable=False),
    Column("turn", Integer, nullable=False, comment="the next turn expected, 1 after the first ring"),
    Column("session", Text, nullable=False, comment="the dialog's session, JSON"),
    Column("precinct", Text, nullable=False, comment="signed in for; empty before the PIN"),
    Column("holds", Text, nullable=False, comment="the precinct whose report this call has open; empty when none"),
    Column("status", Text, nullable=False, comment="the carrier's last word, empty while the call lives"),
    Column("seconds", Integer, nullable=False),
    Column("ended_at", Text),
    Column("block", Text, nullable=False, server_default="", comment="+1 and NPA-NXX-X, else empty"),
    Index("calls_caller", "caller", "answered_at"),
    Index("calls_block", "block", "answered_at"),
    Index("calls_live", "answered_at", **_where("ended_at IS NULL")),
    Index("calls_hung_up", "answered_at", **_where(HUNG_UP)),
    sqlite_with_rowid=False,
)

turns = Table(
    "turns",
    metadata,
    Column("call", Text, ForeignKey("calls.sid"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("answer", Text, nullable=False, comment="what was said, byte for byte"),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    Column("seq", Sequence, Identity(always=True), primary_key=True),
    Column("at", Text, nullable=False),
    Column("call", Text, nullable=False, comment="empty for staff and commands"),
    Column("precinct", Text, nullable=False, comment="empty where none applies"),
    Column("kind", Text, nullable=False),
    Column("version", Integer, comment="the report version the event speaks of"),
    Column("body", Text, nullable=False, comment="the event's fields, JSON"),
    Index("events_by_precinct", "precinct", "seq"),
    Index("events_by_call", "call", "seq"),
    Index("events_strikes", "at", **_where(STRIKES)),
    Index("events_version_once", "precinct", "version", unique=True, **_where("kind = 'ReportConfirmed'")),
)

seals = Table(
    "seals",
    metadata,
    Column("n", Sequence, primary_key=True, autoincrement=False, comment="from 1, without a gap"),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False, comment="the highest seq covered"),
    Column("count", Integer, nullable=False),
    Column("root", Text, nullable=False, comment="Merkle root over the rows of the events"),
    Column("leaves", Text, nullable=False, comment="SHA-256 of rows"),
    Column("previous", Text, nullable=False, comment="the head of the link before"),
    Column("at", Text, nullable=False),
    Column("key", Text, nullable=False, comment="fingerprint of the public key"),
    Column("rows", LargeBinary, nullable=False, comment="40 bytes an event: its seq and the hash of its row"),
    Column("head", Text, nullable=False, comment="SHA-256 of the columns up to key"),
    Column("signature", Text, nullable=False, comment="Ed25519 over the head"),
)

drafts = Table(
    "drafts",
    metadata,
    Column("precinct", Text, primary_key=True),
    Column("call", Text, ForeignKey("calls.sid"), nullable=False, comment="the newest call that opened the report"),
    Column("parked", Text, nullable=False, comment="the draft, JSON, once that call went elsewhere"),
    sqlite_with_rowid=False,
)

outbox = Table(
    "outbox",
    metadata,
    Column("job", Text, primary_key=True, comment="tab-<precinct>-<version>-<seq>"),
    Column("precinct", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("relayed_at", Text, comment="last given to the queue"),
    Column("acknowledged_at", Text, comment="its effect is committed"),
    Column("dead_at", Text, comment="given up on: it failed every time it was tried"),
    Column("error", Text, comment="what it failed with, its last line"),
    Index("outbox_open", "seq", **_where("acknowledged_at IS NULL")),
)

pins = Table(
    "pins",
    metadata,
    Column("precinct", Text, primary_key=True),
    Column("pin", Text, nullable=False, comment="Argon2id over HMAC-SHA-256(pepper, precinct and PIN)"),
    Column("correction", Text, nullable=False, comment="HMAC-SHA-256(pepper, precinct and correction code)"),
    Column("pin_pepper", Text, nullable=False, comment="which pepper: its fingerprint, never the pepper"),
    Column("correction_pepper", Text, nullable=False),
    Column("issued_at", Text, nullable=False),
)

pin_attempts = Table(
    "pin_attempts",
    metadata,
    Column("id", Sequence, Identity(), primary_key=True),
    Column("call", Text, ForeignKey("calls.sid"), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("precinct", Text, nullable=False),
    Column("registered", Boolean, nullable=False, comment="the caller's number is on file for this precinct"),
    Column("at", Text, nullable=False),
    Column("outcome", Text, nullable=False, comment="pending, accepted or refused"),
    Column("again_at", Text, nullable=False, comment="the latest try since that was not judged, or empty"),
    Column("caller", Text, nullable=False, server_default="", comment="the number's key, or empty"),
    Column("trace", Text, nullable=False, server_default="", comment="the refused PIN's keyed trace"),
    Column("pattern", Text, nullable=False, server_default="", comment="why it seems guessed, or empty"),
    UniqueConstraint("call", "turn"),
    Index("pin_attempts_by_precinct", "precinct", "id"),
    Index("pin_attempts_by_caller", "caller", "at"),
    Index("pin_attempts_by_time", "at", "outcome"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("key", Text, primary_key=True, comment="the number's key"),
    Column("caller", Text, nullable=False, comment="masked"),
    Column("why", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("until", Text, nullable=False),
    Column("lifted_at", Text, nullable=False, comment="empty while the block stands"),
)

marks = Table(
    "marks",
    metadata,
    Column("key", Text, primary_key=True, comment="the number's key"),
    Column("caller", Text, nullable=False, comment="masked"),
    Column("word", Text, nullable=False, comment="abusive, prank or genuine: what staff said last"),
    Column("why", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("extends", Text, nullable=False, comment="who said ill of it before, within the term, or empty"),
    CheckConstraint("word = 'genuine' OR extends <> \"by\"", name="marks_take_two_to_extend"),
)

conditions = Table(
    "conditions",
    metadata,
    Column("subject", Text, primary_key=True, comment="event, or the key of a number of ours"),
    Column("value", Text, nullable=False, comment="the event's state, or the number's threat level"),
    Column("at", Text, nullable=False),
    Column("by", Text, nullable=False),
)

alerts = Table(
    "alerts",
    metadata,
    Column("id", Sequence, Identity(), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False, comment="what it is about, e.g. a precinct; empty for the line"),
    Column("text", Text, nullable=False),
    Column("raised_at", Text, nullable=False),
    Column("cleared_at", Text),
    Index("alerts_open_once", "kind", "subject", unique=True, **_where("cleared_at IS NULL")),
)

CALL_BACK_WAITS = "placed_at IS NULL AND closed_at IS NULL"

call_backs = Table(
    "call_backs",
    metadata,
    Column("id", Sequence, Identity(), primary_key=True),
    Column("precinct", Text, nullable=False),
    Column("version", Integer, nullable=False, comment="to be verified, 0 for none"),
    Column("why", Text, nullable=False),
    Column("requested_at", Text, nullable=False),
    Column("placed_at", Text, comment="taken to be called"),
    Column("number", Text, nullable=False, server_default="", comment="the called number's key"),
    Column("call", Text, nullable=False, server_default="", comment="the call that was picked up"),
    Column("closed_at", Text, comment="nothing more comes of it"),
    Column("outcome", Text, nullable=False, server_default="", comment="answered, or why not"),
    Index("call_backs_waiting_once", "precinct", unique=True, **_where(CALL_BACK_WAITS)),
    Index("call_backs_placed", "precinct", "placed_at"),
)

chair_numbers = Table(
    "chair_numbers",
    metadata,
    Column("number", Text, primary_key=True, comment="E.164"),
    Column("precinct", Text, primary_key=True),
    Column("role", Text, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("precinct", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False, comment="the ledger as far as it was read; newer wins"),
    Column("status", Text, nullable=False, comment="counted, held, closed or outstanding"),
    Column("version", Integer, nullable=False, comment="0 when no version counts"),
    Column("origin", Text, nullable=False),
    Column("headcount", Integer),
    Column("first", Text, nullable=False, comment="tallies, JSON"),
    Column("final", Text, nullable=False, comment="tallies, JSON"),
    Column("delegates", Text, nullable=False, comment="tallies, JSON"),
    Column("digest", Text, nullable=False, comment="of the tallies, to find the same report twice"),
    Column("tabulated_at", Text, nullable=False),
    Index("results_digest", "digest"),
)

findings = Table(
    "findings",
    metadata,
    Column("precinct", Text, ForeignKey("results.precinct"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False, comment="order in which the checks named it"),
    Column("code", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("numbers", Text, nullable=False, comment="JSON"),
    Column("groups", Text, nullable=False, comment="JSON list"),
    Column("other", Text, nullable=False, comment="the other precinct, empty when none"),
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
