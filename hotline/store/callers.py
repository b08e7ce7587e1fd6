"""What is known of a number at the first ring, read off what is there: nothing is counted up, so nothing need expire.

Two indexed queries, whatever the number did before: its newest calls and their events, a few dozen rows at most, beside
them those of its block when it is a stranger's. A withheld number is nobody's: nothing is read for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import Connection, Engine

from hotline.clock import Clock
from hotline.screening.signals import Mark, MarkKind, Neighbours
from hotline.store import history
from hotline.store.database import reading, run
from hotline.store.keyed import Keying
from hotline.store.statements import as_driven
from hotline.store.text import instant, load
from hotline.telephone_numbers import block_of

WINDOW = timedelta(hours=24)
LATELY = timedelta(minutes=10)
"""How long what the block did is held against a stranger."""
LIVE_FOR = timedelta(hours=1)
NEWEST = 64
"""Calls that are read of a number, and of its block: more than any weight or ladder looks at."""
HUNG_UP_SECONDS = 5
UNHEARD = """turn > 2 AND precinct = '' AND session NOT LIKE '%"strikes":0,%' AND session NOT LIKE '%"strikes":1,%'"""
"""Two questions in a row without an answer, before a PIN was right: the session's own count, as it is written down."""

STRIKES = frozenset[MarkKind](
    {"hung-up", "dead-air", "unknown-code", "wrong-pin", "guess", "honeypot", "challenge-failed", "abusive"}
)
"""Marks against a number."""
BLOCK_STRIKES = STRIKES - {"hung-up", "abusive"}
"""Those told of its block: after an outage of ours a whole town's phones are cut off, and it has one block; and staff
spoke of one number."""

_MARKING: dict[str, MarkKind] = {
    "SignInFailed": "wrong-pin",
    "ChairSignedIn": "signed-in",
    "ChallengePassed": "challenge-passed",
    "ChallengeFailed": "challenge-failed",
}

STANDING = """
SELECT 'on-file', precinct, '', '' FROM chair_numbers WHERE number = :caller
UNION ALL
SELECT 'block', until, lifted_at, '' FROM blocks WHERE key = :key
UNION ALL
SELECT 'word', word, at, '' FROM marks WHERE key = :key AND at > :since
UNION ALL
SELECT 'guess', precinct, at, call FROM pin_attempts WHERE caller = :key AND at > :since AND pattern <> ''"""

_KINDS = ", ".join(f"'{kind}'" for kind in _MARKING)

OWN = f"""
SELECT * FROM (
  SELECT 1 AS mine, sid, answered_at, ended_at, status, seconds, turn,
    CASE WHEN {UNHEARD} THEN 1 ELSE 0 END AS unheard
  FROM calls WHERE caller = :caller AND answered_at > :since AND sid <> :sid
  ORDER BY answered_at DESC LIMIT {NEWEST}) AS own"""  # noqa: S608 - our own words, here and below

NEAR = f"""
SELECT * FROM (
  SELECT 0, sid, answered_at, ended_at, status, seconds, turn,
    CASE WHEN {UNHEARD} THEN 1 ELSE 0 END
  FROM calls WHERE block = :block AND answered_at > :lately AND caller <> :caller
  ORDER BY answered_at DESC LIMIT {NEWEST}) AS near"""  # noqa: S608

_WITH_EVENTS = f"""
SELECT c.mine, c.sid, c.answered_at, c.ended_at, c.status, c.seconds, c.turn, c.unheard,
  e.at, e.kind, e.precinct, e.body
FROM ({{calls}}) AS c LEFT JOIN events e ON e.call = c.sid AND e.kind IN ({_KINDS})
ORDER BY c.mine, c.answered_at, c.sid, e.seq"""  # noqa: S608

MARKS = _WITH_EVENTS.format(calls=OWN)
MARKS_AND_NEAR = _WITH_EVENTS.format(calls=f"{OWN}\nUNION ALL{NEAR}")


@dataclass(frozen=True)
class Known:
    """A number as it stands at a ring. `marks` oldest first, this call's not among them; `live` other calls of its."""

    on_file: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    live: int = 0
    blocked_until: datetime | None = None
    neighbours: Neighbours = field(default_factory=Neighbours)


@dataclass
class _Standing:
    """What stands about a number outside its calls: where it is on file, its block, guesses, staff's word of it."""

    on_file: list[str]
    marks: list[Mark]
    blocked_until: datetime | None = None


class _Row(NamedTuple):
    mine: int
    sid: str
    answered_at: str
    ended_at: str | None
    status: str
    seconds: int
    turn: int
    unheard: int
    at: str | None
    kind: str
    precinct: str
    body: str


class Callers:
    """Reads what numbers did; guards the engine, the key of numbers and the statements ready for the engine."""

    def __init__(self, engine: Engine, clock: Clock, key: Keying) -> None:
        self._engine, self._clock, self._key = engine, clock, key
        self._stands = as_driven(STANDING, engine.dialect)
        self._marks = as_driven(MARKS, engine.dialect)
        self._marks_and_near = as_driven(MARKS_AND_NEAR, engine.dialect)

    def known(self, number: str, sid: str = "", honeypots: Collection[str] = ()) -> Known:
        """What is known of a number (E.164, "" when withheld) while its call `sid` rings.

        `honeypots` are codes that are printed nowhere.
        """
        if not number:
            return Known()
        now = self._clock.now()
        with reading(self._engine) as connection:
            standing = self._standing(connection, number, now)
            block = "" if standing.on_file else block_of(number)
            values = {"caller": number, "sid": sid, "since": instant(now - WINDOW)}
            if block:
                values |= {"block": block, "lately": instant(now - LATELY)}
            rows = run(connection, self._marks_and_near if block else self._marks, values).fetchall()
        read = [_Row(*row) for row in rows]
        own = [row for row in read if row.mine]
        marks = [*_marks(own, honeypots), *standing.marks]
        return Known(
            on_file=tuple(sorted(standing.on_file)),
            marks=tuple(sorted(marks, key=attrgetter("at"))),
            live=_live(own, instant(now - LIVE_FOR)),
            blocked_until=standing.blocked_until,
            neighbours=_neighbours(read),
        )

    def number_of(self, sid: str) -> str:
        """The whole number that made a call, "" when withheld: to mark it, and for no page. Raises `UnknownCall`."""
        with reading(self._engine) as connection:
            return history.caller(connection, sid)

    def _standing(self, connection: Connection, number: str, now: datetime) -> _Standing:
        since = instant(now - WINDOW)
        values = {"caller": number, "key": self._key(number), "since": since}
        found = _Standing([], [])
        for what, first, at, call in run(connection, self._stands, values).fetchall():
            if what == "on-file":
                found.on_file.append(first)
            elif what == "word":
                said: MarkKind = "genuine" if first == "genuine" else "abusive"
                found.marks.append(Mark(said, datetime.fromisoformat(at), ""))
            elif what == "guess":
                found.marks.append(Mark("guess", datetime.fromisoformat(at), call, first))
            elif not at and first > instant(now):
                found.blocked_until = datetime.fromisoformat(first)
            elif at > since:
                found.marks.append(Mark("genuine", datetime.fromisoformat(at), ""))
        return found


def _marks(rows: list[_Row], honeypots: Collection[str]) -> Iterator[Mark]:
    for sid, found in groupby(rows, key=attrgetter("sid")):
        of_call = list(found)
        first = of_call[0]
        yield Mark("rang", datetime.fromisoformat(first.answered_at), sid)
        yield from _of_its_end(first)
        for row in of_call:
            if row.at is not None:
                yield from _of_event(row, honeypots)


def _of_its_end(row: _Row) -> Iterator[Mark]:
    ended = datetime.fromisoformat(row.ended_at or row.answered_at)
    if row.status == "completed" and row.turn == 1 and row.seconds < HUNG_UP_SECONDS:
        yield Mark("hung-up", ended, row.sid)
    if row.unheard:
        yield Mark("dead-air", ended, row.sid)


def _of_event(row: _Row, honeypots: Collection[str]) -> Iterator[Mark]:
    at = datetime.fromisoformat(row.at or "")
    kind = _MARKING[row.kind]
    if kind != "wrong-pin":
        yield Mark(kind, at, row.sid, row.precinct)
        return
    yield Mark("unknown-code" if '"reason":"unknown-code"' in row.body else "wrong-pin", at, row.sid, row.precinct)
    if '"reason":"limit"' in row.body and load(row.body)["pattern"]:  # one that was judged stands in its attempt
        yield Mark("guess", at, row.sid, row.precinct)
    if row.precinct in honeypots:
        yield Mark("honeypot", at, row.sid, row.precinct)


def _live(own: list[_Row], since: str) -> int:
    return len({row.sid for row in own if row.ended_at is None and row.answered_at > since})


def _neighbours(rows: list[_Row]) -> Neighbours:
    near = list(_marks([row for row in rows if not row.mine], ()))
    return Neighbours(sum(mark.kind in BLOCK_STRIKES for mark in near), sum(mark.kind == "signed-in" for mark in near))
