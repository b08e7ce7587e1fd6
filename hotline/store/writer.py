"""Writes events in order, and what follows from them in the same transaction.

Beside each one that moves a precinct's result stands the outbox row that has it worked out, beside a notice the row
that has it sent, and beside a request for a call-back the call-back that waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from hotline.events.decisions import ReportAccepted, ReportRejected, ReportReopened, SiteClosed, SiteReopened
from hotline.events.flags import flag_of
from hotline.events.kinds import Event, ReportConfirmed, kind_of, to_body
from hotline.events.verification import CallBackRequested, NoticeWanted, ReportVerified, VerificationWanted
from hotline.store.database import run
from hotline.store.statements import Statements, ask
from hotline.store.text import dump

MOVES_RESULT = (
    ReportConfirmed,
    VerificationWanted,
    ReportVerified,
    ReportAccepted,
    ReportRejected,
    ReportReopened,
    SiteClosed,
    SiteReopened,
)
"""Events after which a precinct's result has to be worked out again."""

FLAG = """
INSERT INTO flags (call, at, risk, reasons, word, why, by) VALUES (:call, :at, :risk, :reasons, '', '', '')
ON CONFLICT (call) DO UPDATE SET reasons = flags.reasons || substr(excluded.reasons, 2),
  risk = CASE WHEN excluded.risk > flags.risk THEN excluded.risk ELSE flags.risk END"""


def write_events(connection: Connection, sql: Statements, events: Sequence[Event], call: str, at: str) -> None:
    """Insert the events in the order given, with their outbox rows, in the transaction of `connection`."""
    waiting: list[dict[str, Any]] = []
    for event in events:
        row = _row(event, call, at)
        if call and (flag := flag_of(event)):
            reasons = f" {' '.join(flag.reasons)} "
            ask(connection, FLAG, {"call": call, "at": at, "risk": flag.risk, "reasons": reasons})
        if isinstance(event, CallBackRequested):
            request = {"precinct": event.precinct, "version": event.version or 0, "why": event.why, "at": at}
            run(connection, sql.request_call_back, request)
        if not isinstance(event, (*MOVES_RESULT, NoticeWanted)):
            waiting.append(row)
            continue
        _flush(connection, sql, waiting)
        seq: int = run(connection, sql.keep_event_numbered, row).fetchone()[0]
        run(connection, sql.keep_job, _job("note" if isinstance(event, NoticeWanted) else "tab", row, seq))
    _flush(connection, sql, waiting)


def _flush(connection: Connection, sql: Statements, waiting: list[dict[str, Any]]) -> None:
    """Several events go in as one statement; zeroing the rest of an alignment makes a dozen at once."""
    if waiting:
        run(connection, sql.keep_event, waiting if len(waiting) > 1 else waiting[0])
        waiting.clear()


def _row(event: Event, call: str, at: str) -> dict[str, Any]:
    body = to_body(event)
    return {
        "at": at,
        "call": call,
        "precinct": body.get("precinct", ""),
        "kind": kind_of(event),
        "version": body.get("version"),
        "body": dump(body),
    }


def _job(kind: str, row: dict[str, Any], seq: int) -> dict[str, Any]:
    precinct, version = row["precinct"], row["version"] or 0
    job = f"{kind}-{precinct}-{version}-{seq}"
    return {"job": job, "precinct": precinct, "version": version, "seq": seq, "at": row["at"]}
