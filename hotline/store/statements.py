"""The ledger's hot path as plain SQL, the same words for SQLite and PostgreSQL.

A caucus night runs these many hundred times a second. Ready-made text spares the building and compiling of a statement
each time, which would cost more than everything else a turn does beside the disk. Everything off the hot path is
written with the tables of `schema`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Dialect

from hotline.store.database import run

OPEN_CALL = """
INSERT INTO calls (sid, caller, called, answered_at, turn, session, precinct, holds, status, seconds, block)
VALUES (:sid, :caller, :called, :at, 0, '', '', '', '', 0, :block) ON CONFLICT DO NOTHING"""

FORGET_CALL = "DELETE FROM calls WHERE sid = :sid AND turn = 0"

FIND_TURN = """
SELECT calls.session, calls.turn, calls.holds, drafts.call, turns.answer
FROM calls
LEFT JOIN turns ON turns.call = calls.sid AND turns.n = :n
LEFT JOIN drafts ON drafts.precinct = calls.holds
WHERE calls.sid = :sid"""

FIND_ANSWER = "SELECT answer FROM turns WHERE call = :sid AND n = :n"

KEEP_TURN = "INSERT INTO turns (call, n, answer) VALUES (:sid, :n, :answer)"

KEEP_SESSION = """
UPDATE calls SET turn = :turn, session = :session, precinct = :precinct, holds = :holds WHERE sid = :sid"""

KEEP_EVENT = """
INSERT INTO events (at, call, precinct, kind, version, body) VALUES (:at, :call, :precinct, :kind, :version, :body)"""

SEALING = 5731
"""PostgreSQL's advisory lock between writers of events, who share it, and the sealer, who takes it alone: `seals`."""

KEEP_EVENT_LOCKED = """
INSERT INTO events (at, call, precinct, kind, version, body)
SELECT :at, :call, :precinct, :kind, CAST(:version AS INTEGER), :body
FROM (SELECT pg_advisory_xact_lock_shared(5731)) AS sealing"""

KEEP_JOB = """
INSERT INTO outbox (job, precinct, version, seq, created_at) VALUES (:job, :precinct, :version, :seq, :at)"""

REQUEST_CALL_BACK = """
INSERT INTO call_backs (precinct, version, why, requested_at) VALUES (:precinct, :version, :why, :at)
ON CONFLICT (precinct) WHERE placed_at IS NULL AND closed_at IS NULL
DO UPDATE SET version = excluded.version, why = excluded.why, requested_at = excluded.requested_at
WHERE excluded.version > call_backs.version"""
"""A report to verify takes the place of what waits for its precinct; anything else changes nothing about it."""

CLAIM_DRAFT = """
INSERT INTO drafts (precinct, call, parked) VALUES (:precinct, :sid, '')
ON CONFLICT (precinct) DO UPDATE SET call = excluded.call, parked = ''"""

PARK_DRAFT = "UPDATE drafts SET parked = :draft WHERE precinct = :precinct AND call = :sid"

CLOSE_DRAFT = "DELETE FROM drafts WHERE precinct = :precinct AND call = :sid"

END_CALL = """
UPDATE calls SET status = :status, seconds = :seconds, ended_at = :at WHERE sid = :sid AND ended_at IS NULL"""


@dataclass(frozen=True)
class Statements:
    """Every statement of the hot path as the driver takes it, values by name."""

    open_call: str
    forget_call: str
    find_turn: str
    find_answer: str
    keep_turn: str
    keep_session: str
    keep_event: str
    keep_event_numbered: str
    keep_job: str
    request_call_back: str
    claim_draft: str
    park_draft: str
    close_draft: str
    end_call: str


def statements(dialect: Dialect) -> Statements:
    """The statements for one database. Only PostgreSQL has to lock the call's row: SQLite has one writer anyhow."""
    is_sqlite = dialect.name == "sqlite"
    lock = "" if is_sqlite else "\nFOR UPDATE OF calls"
    keep_event = KEEP_EVENT if is_sqlite else KEEP_EVENT_LOCKED

    def text(sql: str) -> str:
        return as_driven(sql, dialect)

    return Statements(
        open_call=text(OPEN_CALL),
        forget_call=text(FORGET_CALL),
        find_turn=text(FIND_TURN + lock),
        find_answer=text(FIND_ANSWER),
        keep_turn=text(KEEP_TURN),
        keep_session=text(KEEP_SESSION),
        keep_event=text(keep_event),
        keep_event_numbered=text(keep_event + " RETURNING seq"),
        keep_job=text(KEEP_JOB),
        request_call_back=text(REQUEST_CALL_BACK),
        claim_draft=text(CLAIM_DRAFT),
        park_draft=text(PARK_DRAFT),
        close_draft=text(CLOSE_DRAFT),
        end_call=text(END_CALL),
    )


def as_driven(sql: str, dialect: Dialect) -> str:
    """Ready text with its values (`:name`) spelled as the driver wants them."""
    return sql if dialect.name == "sqlite" else re.sub(r":([a-z]\w*)", r"%(\1)s", sql.replace("%", "%%"))


def ask(connection: Connection, sql: str, values: Mapping[str, Any]) -> Any:
    """Run text whose values are spelled `:name`; the driver's cursor, as of `run`."""
    return run(connection, as_driven(sql, connection.dialect), values)
