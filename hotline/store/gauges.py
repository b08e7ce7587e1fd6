"""How the line stands at this moment, as SQL knows it: everything read in one steady view, nothing kept.

Each question has an index of its own or asks a table as small as the contest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

from hotline.clock import Clock
from hotline.store.conditions import LIVE, LIVE_CALLS, LIVE_FOR
from hotline.store.database import reading
from hotline.store.schema import CALL_BACK_WAITS
from hotline.store.statements import ask
from hotline.store.text import instant

_ASKING = f"""
SELECT (SELECT MAX(at) FROM events WHERE call = calls.sid AND kind = 'PersonCalledFor') AS since
{LIVE_CALLS} AND session LIKE '%"state":"person"%'
AND NOT EXISTS (SELECT 1 FROM events WHERE call = calls.sid AND kind = 'CallBackPromised')
ORDER BY since"""  # noqa: S608

_STATUS = "SELECT precinct, status FROM results"

_HELD = """
SELECT COUNT(*), MIN(events.at) FROM results
LEFT JOIN events ON events.precinct = results.precinct AND events.version = results.version
  AND events.kind = 'ReportConfirmed'
WHERE results.status = 'held'"""

_CALL_BACKS = f"SELECT COUNT(*), MIN(requested_at) FROM call_backs WHERE {CALL_BACK_WAITS}"  # noqa: S608

_JOBS = """
SELECT COUNT(*) - COUNT(dead_at), MIN(CASE WHEN dead_at IS NULL THEN created_at END), COUNT(dead_at)
FROM outbox WHERE acknowledged_at IS NULL"""

_SEALED = "SELECT last FROM seals ORDER BY n DESC LIMIT 1"
_NEWEST = "SELECT MAX(seq) FROM events"
_OLDEST_UNSEALED = "SELECT at FROM events WHERE seq > :sealed ORDER BY seq LIMIT 1"


@dataclass(frozen=True)
class Waiting:
    """How many wait, and since when the oldest does; None when none does."""

    count: int = 0
    oldest_at: str | None = None


@dataclass(frozen=True)
class Gauges:
    """The line at one moment.

    `live` are calls without an end; `asking` when each caller who is with a person, or waits for one, asked, oldest
    first. `statuses` are results by precinct; a precinct without any has not reported. `held` counts held reports,
    `jobs` what the outbox still wants done and `dead` what it gave up on. `unsealed` are numbers of events behind the
    newest link of the seal, and when the oldest of them was recorded.
    """

    live: int
    asking: tuple[str, ...]
    statuses: Mapping[str, str]
    held: Waiting
    call_backs: Waiting
    jobs: Waiting
    dead: int
    unsealed: Waiting


def gauges(engine: Engine, clock: Clock) -> Gauges:
    """How the line stands now. Raises `NotRecorded` when the database does not answer."""
    since = {"since": instant(clock.now() - LIVE_FOR)}
    with reading(engine) as connection:
        waiting, oldest, dead = ask(connection, _JOBS, {}).fetchone()
        return Gauges(
            live=ask(connection, LIVE, since).fetchone()[0],
            asking=tuple(row[0] for row in ask(connection, _ASKING, since).fetchall() if row[0]),
            statuses=dict(ask(connection, _STATUS, {}).fetchall()),
            held=Waiting(*ask(connection, _HELD, {}).fetchone()),
            call_backs=Waiting(*ask(connection, _CALL_BACKS, {}).fetchone()),
            jobs=Waiting(waiting, oldest),
            dead=dead,
            unsealed=_unsealed(connection),
        )


def _unsealed(connection: Connection) -> Waiting:
    sealed = ask(connection, _SEALED, {}).fetchone()
    upto = sealed[0] if sealed else 0
    newest = ask(connection, _NEWEST, {}).fetchone()[0] or 0
    if newest <= upto:
        return Waiting()
    oldest = ask(connection, _OLDEST_UNSEALED, {"sealed": upto}).fetchone()
    return Waiting(newest - upto, oldest[0] if oldest else None)
