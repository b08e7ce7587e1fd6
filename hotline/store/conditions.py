"""How the night stands: its state, who may call which number of ours, how many calls there are, who guesses where.

State and threat levels are decided and kept; every change is an event, in the same transaction. Guessing is never kept:
it is counted in the attempts whenever somebody asks. What is read at every ring is a second old at most.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

from sqlalchemy import Connection, Engine

from hotline.clock import Clock
from hotline.events.guard import EventStateChanged, PolicyChanged, ThreatChanged
from hotline.events.kinds import Event
from hotline.screening.sections import Contested
from hotline.screening.signals import Conditions, EventState, Threat
from hotline.screening.states import Activity, is_contested
from hotline.store import alerts
from hotline.store.database import in_line, reading, writing
from hotline.store.keyed import Keying
from hotline.store.schema import HUNG_UP, STRIKES
from hotline.store.statements import ask, statements
from hotline.store.text import instant, masked
from hotline.store.writer import write_events

FRESH_SECONDS = 1.0
LIVE_FOR = timedelta(hours=1)
"""A call without an end for so long is taken for one whose end the carrier never told."""

BUDGET = timedelta(hours=24)
"""How long a wrong PIN counts towards the guess budget."""

LINE = "line"
"""Who changes a state that changes by itself."""

_EVENT, _SETTLED, _POLICY = "event", "settled", "policy"
_READ_GUESSES = 256
"""Attempts on one precinct that are read: far more than any limit lets through within a window."""

_WRONG = "FROM pin_attempts WHERE at > :since AND outcome = 'refused'"
_FROM_STRANGERS = f"{_WRONG} AND NOT registered"

_GUESSING = f"""
SELECT COALESCE(NULLIF(caller, ''), call) {_FROM_STRANGERS} AND precinct = :precinct
ORDER BY id DESC LIMIT {_READ_GUESSES}"""

_CONTESTED = f"""
SELECT precinct, COUNT(*), COUNT(DISTINCT COALESCE(NULLIF(caller, ''), call)) {_FROM_STRANGERS} GROUP BY precinct"""

_OUTCOMES = "SELECT outcome, COUNT(*) FROM pin_attempts WHERE at > :since GROUP BY outcome"

_STRUCK = f"""
SELECT (SELECT COUNT(*) FROM events WHERE at > :since AND {STRIKES})
  + (SELECT COUNT(*) FROM calls WHERE answered_at > :since AND {HUNG_UP})"""  # noqa: S608 - our own words

LIVE_CALLS = "FROM calls WHERE ended_at IS NULL AND answered_at > :since"
LIVE = f"SELECT COUNT(*) {LIVE_CALLS}"
_STRANGERS = f"""
{LIVE} AND precinct = '' AND NOT EXISTS (SELECT 1 FROM chair_numbers WHERE number = calls.caller)"""  # noqa: S608
_TALKING = f"""{LIVE} AND session LIKE '%"state":"person"%'"""

_KEPT = "SELECT subject, value FROM conditions"
_GET = "SELECT value FROM conditions WHERE subject = :subject"
_PUT = """
INSERT INTO conditions (subject, value, "by", at) VALUES (:subject, :value, :by, :at)
ON CONFLICT (subject) DO UPDATE SET value = excluded.value, "by" = excluded."by", at = excluded.at"""


@dataclass(frozen=True)
class Guesses:
    """Wrong PINs on one precinct from numbers not on file for it, and how many numbers they came from.

    A withheld number is a number of its own in each call.
    """

    failures: int
    numbers: int


@dataclass(frozen=True)
class _Seen:
    at: float
    values: Mapping[str, str]
    live: int
    strangers: int
    talking: int
    guesses: int


class NightConditions:
    """Reads and changes the conditions; guards the engine and what was read last."""

    def __init__(self, engine: Engine, clock: Clock, key: Keying, *, capacity: int = 0, staff: int = 0) -> None:
        self._engine, self._clock, self._key = engine, clock, key
        self._capacity, self._staff = capacity, staff
        self._sql = statements(engine.dialect)
        self._seen: _Seen | None = None
        self._reading = threading.Lock()

    def at_ring(self, called: str) -> Conditions:
        """How the line stands for a call to one of its numbers (E.164), a second ago at most."""
        seen = self._look()
        return Conditions(
            state=_state(seen.values.get(_EVENT)),
            threat=_threat(seen.values.get(self._key(called))),
            live_calls=seen.live,
            live_strangers=seen.strangers,
            capacity=self._capacity,
            staff_busy=min(100, seen.talking * 100 // self._staff) if self._staff else None,
        )

    def guesses(self) -> int:
        """How many PINs were judged wrong on the line in a day, a second ago at most: the guess budget (AU-08)."""
        return self._look().guesses

    def state(self) -> EventState:
        """The state of the night right now."""
        with reading(self._engine) as connection:
            return _state(_get(connection, _EVENT))

    def set_state(self, state: EventState, *, by: str, why: str) -> bool:
        """Put the night into a state. False when it was in it. An attack raises its alert, leaving it takes it down."""
        with writing(self._engine) as connection:
            at = instant(self._clock.now())
            before = _state(_put(connection, _EVENT, state, by, at))
            if before == state:
                return False
            write_events(connection, self._sql, [EventStateChanged(state, before, why, by)], "", at)
            if by != LINE:
                _put(connection, _SETTLED, at, by, at)
            if state == "attack":
                alerts.put(connection, "attack", "", f"The line is under attack: {why}", at)
            elif before == "attack":
                alerts.take_down(connection, "attack", "", at)
        self._seen = None
        return True

    def set_threat(self, called: str, threat: Threat, *, by: str, why: str) -> bool:
        """Say who may call one of the line's numbers. False when that was so already."""
        with writing(self._engine) as connection:
            at = instant(self._clock.now())
            before = _threat(_put(connection, self._key(called), threat, by, at))
            if before == threat:
                return False
            changed: Event = ThreatChanged(masked(called), threat, before, why, by)
            write_events(connection, self._sql, [changed], "", at)
        self._seen = None
        return True

    def note_policy(self, version: str, digest: str) -> bool:
        """Put on record which policy judges from now on; once, however many processes read it. False when it was so."""
        with reading(self._engine) as connection:
            if _get(connection, _POLICY) == digest:
                return False
        with writing(self._engine) as connection:
            at = instant(self._clock.now())
            if _put(connection, _POLICY, digest, LINE, at) == digest:
                return False
            write_events(connection, self._sql, [PolicyChanged(version, digest)], "", at)
            return True

    def guessing(self, precinct: str, minutes: int) -> Guesses:
        """How much guessing there was on a precinct in the last `minutes`, from numbers not on file for it."""
        values = {"since": self._since(minutes), "precinct": precinct}
        with reading(self._engine) as connection:
            who = [row[0] for row in ask(connection, _GUESSING, values).fetchall()]
        return Guesses(len(who), len(set(who)))

    def contested(self, rule: Contested) -> set[str]:
        """The precincts that are contested now, in one look however many there are."""
        with reading(self._engine) as connection:
            return _contested(connection, self._since(rule.minutes), rule)

    def activity(self, minutes: int, contested: Contested) -> Activity:
        """What happened on the whole line in the last `minutes`, and not before a person last settled its state."""
        with reading(self._engine) as connection:
            after = {"since": max(self._since(minutes), _get(connection, _SETTLED) or "")}
            came: dict[str, int] = dict(ask(connection, _OUTCOMES, after).fetchall())
            strikes: int = ask(connection, _STRUCK, after).fetchone()[0]
            guessed_at = _contested(connection, self._since(contested.minutes), contested)
        return Activity(
            failed=came.get("refused", 0),
            succeeded=came.get("accepted", 0),
            contested=len(guessed_at),
            strikes=strikes,
        )

    def _since(self, minutes: int) -> str:
        return instant(self._clock.now() - timedelta(minutes=minutes))

    def _look(self) -> _Seen:
        """What was read within the last second. While one thread reads anew, the others go by what it read before."""
        seen = self._seen
        if seen is not None and self._clock.monotonic() - seen.at < FRESH_SECONDS:
            return seen
        if not self._reading.acquire(blocking=seen is None):
            assert seen is not None
            return seen
        try:
            seen = self._seen = self._read()
        finally:
            self._reading.release()
        return seen

    def _read(self) -> _Seen:
        at, now = self._clock.monotonic(), self._clock.now()
        live, budget = {"since": instant(now - LIVE_FOR)}, {"since": instant(now - BUDGET)}
        with reading(self._engine) as connection:

            def number(counting: str, values: dict[str, str]) -> int:
                return int(ask(connection, counting, values).fetchone()[0])

            return _Seen(
                at=at,
                values=dict(ask(connection, _KEPT, {}).fetchall()),
                live=number(LIVE, live),
                strangers=number(_STRANGERS, live),
                talking=number(_TALKING, live) if self._staff else 0,
                guesses=number(f"SELECT COUNT(*) {_WRONG}", budget),
            )


def _get(connection: Connection, subject: str) -> str | None:
    row = ask(connection, _GET, {"subject": subject}).fetchone()
    return str(row[0]) if row else None


def _put(connection: Connection, subject: str, value: str, by: str, at: str) -> str | None:
    """Write a condition over what stood there, which is returned; one at a time."""
    in_line(connection, subject)
    before = _get(connection, subject)
    if before != value:
        ask(connection, _PUT, {"subject": subject, "value": value, "by": by, "at": at})
    return before


def _contested(connection: Connection, since: str, rule: Contested) -> set[str]:
    """The precincts contested by what was guessed wrong after `since`."""
    return {
        precinct
        for precinct, failures, numbers in ask(connection, _CONTESTED, {"since": since}).fetchall()
        if is_contested(failures, numbers, rule)
    }


def _state(value: str | None) -> EventState:
    return cast(EventState, value or "calm")


def _threat(value: str | None) -> Threat:
    return cast(Threat, value or "open")
