"""What calls came to in the last minutes, counted from the ledger in slices of ten seconds.

A slice that is over is counted once and remembered: nothing is added to it any more. Only the newest ones are read at
every look, so a look at a busy night costs what its last seconds cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Engine

from hotline.clock import Clock
from hotline.store.database import reading
from hotline.store.statements import ask
from hotline.store.text import instant, load
from hotline.store.watch_tables import BEGUN_OR_ENDED

SLICE_SECONDS = 10
SETTLED_SECONDS = 5
"""A transaction that began in a slice may commit so long after its end; later the slice is not read again."""
REMEMBERED = 360
"""Slices: an hour."""

_CALLS = f"""
SELECT events.kind, events.body, calls.precinct,
  EXISTS (SELECT 1 FROM chair_numbers WHERE number = calls.caller)
FROM events JOIN calls ON calls.sid = events.call
WHERE {BEGUN_OR_ENDED} AND events.at >= :first AND events.at < :after"""  # noqa: S608 - our own words


class Ringing(NamedTuple):
    """How calls were met at the first ring; `is_chair` when their number is on file."""

    lane: str
    decision: str
    is_chair: bool


class Ending(NamedTuple):
    """Where calls were when they ended: the part of the dialog ("code", "first", "done"), signed in or not."""

    step: str
    is_signed_in: bool
    is_chair: bool


@dataclass(frozen=True)
class Tally:
    """Calls that began, by how they were met, and those that ended, by where they were. `seconds` are how long those
    lasted that were signed in and ended with the line's last words ("done", "over")."""

    began: Mapping[Ringing, int] = field(default_factory=dict)
    ended: Mapping[Ending, int] = field(default_factory=dict)
    seconds: tuple[int, ...] = ()


class Tallies:
    """Counts calls by time; guards the engine and the slices counted for good."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock
        self._settled: dict[int, Tally] = {}
        self._looked_at = datetime.min.replace(tzinfo=UTC)

    def last(self, seconds: int) -> Tally:
        """What began and ended in the last `seconds`, whole slices and the one that is not over. Up to an hour."""
        now = self._clock.now()
        if now < self._looked_at:  # the clock was set back: what seemed over is not
            self._settled.clear()
        self._looked_at = now
        newest = _slice_of(now)
        return merged(self._slice(n, now) for n in range(newest - seconds // SLICE_SECONDS, newest + 1))

    def _slice(self, n: int, now: datetime) -> Tally:
        if (known := self._settled.get(n)) is not None:
            return known
        counted = self._count(n)
        if _start_of(n + 1) + timedelta(seconds=SETTLED_SECONDS) < now:
            self._settled[n] = counted
            for old in [each for each in tuple(self._settled) if each < n - REMEMBERED]:
                self._settled.pop(old, None)
        return counted

    def _count(self, n: int) -> Tally:
        between = {"first": instant(_start_of(n)), "after": instant(_start_of(n + 1))}
        with reading(self._engine) as connection:
            rows = ask(connection, _CALLS, between).fetchall()
        began: Counter[Ringing] = Counter()
        ended: Counter[Ending] = Counter()
        seconds = []
        for kind, body, precinct, is_chair in rows:
            said = load(body)
            if kind == "CallScreened":
                began[Ringing(said["lane"], said["decision"], bool(is_chair))] += 1
                continue
            ending = Ending(said["state"].partition(".")[0], precinct != "", bool(is_chair))
            ended[ending] += 1
            if ending.is_signed_in and ending.step in ("done", "over"):
                seconds.append(said["seconds"])
        return Tally(began, ended, tuple(seconds))


def merged(tallies: Iterable[Tally]) -> Tally:
    """Several tallies as one."""
    began: Counter[Ringing] = Counter()
    ended: Counter[Ending] = Counter()
    seconds: list[int] = []
    for each in tallies:
        began.update(each.began)
        ended.update(each.ended)
        seconds.extend(each.seconds)
    return Tally(began, ended, tuple(seconds))


def _slice_of(at: datetime) -> int:
    return int(at.timestamp()) // SLICE_SECONDS


def _start_of(n: int) -> datetime:
    return datetime.fromtimestamp(n * SLICE_SECONDS, UTC)
