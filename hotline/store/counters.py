"""How many wrong PINs there were, counted in SQL so that no restart and no empty Redis allows one guess more.

A PIN is judged in three steps. `reserve` writes the attempt down as pending, under the limits as `screening.policy` has
them, in one transaction; then the PIN is judged, which takes long and holds nothing; then `settle` writes what came of
it. An attempt that is pending counts as wrong: of many guesses at once exactly as many are judged as the limit allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy import Connection, Engine, func, insert, select, text, update

from hotline.clock import Clock
from hotline.errors import UnknownCall
from hotline.screening.policy import Gate
from hotline.screening.signals import PinAttempts
from hotline.store.database import writing
from hotline.store.schema import calls, pin_attempts
from hotline.store.text import instant

NUMBER_WINDOW = timedelta(hours=24)
QUIET = timedelta(minutes=60)
"""So long without a try, judged or not, from numbers not on file: then theirs are judged again."""
_RUN_READ = 64
"""Attempts of a run that are read: more than any limit, so that an attack on one precinct cannot make counting slow."""

Outcome = Literal["accepted", "refused"]


@dataclass(frozen=True)
class Attempt:
    """One PIN to be judged or not. `call` and `turn` make it one attempt, however often the carrier repeats it."""

    call: str
    turn: int
    precinct: str
    is_chair_number: bool


@dataclass(frozen=True)
class Reservation:
    """What to do with a PIN. `outcome` is set when this very attempt was judged before: do not judge it again."""

    gate: Gate
    outcome: Outcome | None = None


class _Try(NamedTuple):
    id: int
    at: str
    again_at: str


class Counters:
    """Reserves and settles PIN attempts; guards the engine."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def reserve(self, attempt: Attempt, gate: Callable[[PinAttempts], Gate]) -> Reservation:
        """Count, ask the policy `gate`, and on "evaluate" write the attempt down as pending: all or nothing.

        Raises `UnknownCall`, and `NotRecorded` when the database cannot: then the PIN must not be judged.
        """
        with writing(self._engine) as connection:
            caller = _caller(connection, attempt.call)
            _queue_up(connection, attempt, caller)
            if known := _known(connection, attempt):
                return known
            run = self._run(connection, attempt)
            verdict = gate(_counts(connection, attempt, caller, len(run), self._clock.now()))
            if verdict == "evaluate":
                connection.execute(insert(pin_attempts).values(_row(attempt, instant(self._clock.now()))))
            elif run:
                pressed = update(pin_attempts).where(pin_attempts.c.id == run[0].id)
                connection.execute(pressed.values(again_at=instant(self._clock.now())))
            return Reservation(verdict)

    def settle(self, attempt: Attempt, *, is_accepted: bool) -> None:
        """Write down what came of a reserved attempt. The first word stands."""
        ours = (pin_attempts.c.call == attempt.call, pin_attempts.c.turn == attempt.turn)
        outcome: Outcome = "accepted" if is_accepted else "refused"
        with writing(self._engine) as connection:
            pending = update(pin_attempts).where(*ours, pin_attempts.c.outcome == "pending")
            connection.execute(pending.values(outcome=outcome))

    def _run(self, connection: Connection, attempt: Attempt) -> list[_Try]:
        """Wrong PINs in a row on the precinct from callers like this one, newest first."""
        tries = pin_attempts.c
        accepted = select(func.coalesce(func.max(tries.id), 0)).where(
            tries.precinct == attempt.precinct, tries.outcome == "accepted"
        )
        if attempt.is_chair_number:  # a stranger who knows the PIN says nothing about the phones on file
            accepted = accepted.where(tries.registered)
        since = connection.execute(accepted).scalar_one()
        wrong = select(tries.id, tries.at, tries.again_at).where(
            tries.precinct == attempt.precinct, tries.registered == attempt.is_chair_number, tries.id > since
        )
        newest = connection.execute(wrong.order_by(tries.id.desc()).limit(_RUN_READ))
        run = [_Try(*row) for row in newest]
        return run if attempt.is_chair_number else _since_quiet(run, self._clock.now())


def _since_quiet(run: Iterable[_Try], now: datetime) -> list[_Try]:
    kept: list[_Try] = []
    after = now
    for each in run:
        if after - datetime.fromisoformat(max(each.at, each.again_at)) > QUIET:
            break
        kept.append(each)
        after = datetime.fromisoformat(each.at)
    return kept


def _counts(connection: Connection, attempt: Attempt, caller: str, on_precinct: int, now: datetime) -> PinAttempts:
    tries = pin_attempts.c
    in_call = select(func.count()).where(tries.call == attempt.call, tries.outcome != "accepted")
    return PinAttempts(
        is_chair_number=attempt.is_chair_number,
        in_call=connection.execute(in_call).scalar_one(),
        by_number=_by_number(connection, caller, instant(now - NUMBER_WINDOW)) if caller else 0,
        on_precinct=on_precinct,
    )


def _by_number(connection: Connection, caller: str, since: str) -> int:
    """Wrong PINs from one number; a success forgives that number's earlier ones on that precinct, and no other's."""
    tries = pin_attempts.c
    of_number = select(tries.precinct, tries.outcome).join(calls, calls.c.sid == tries.call)
    wrong: dict[str, int] = {}
    found = connection.execute(of_number.where(calls.c.caller == caller, tries.at > since).order_by(tries.id))
    for precinct, outcome in found:
        wrong[precinct] = 0 if outcome == "accepted" else wrong.get(precinct, 0) + 1
    return sum(wrong.values())


def _caller(connection: Connection, call: str) -> str:
    found = connection.execute(select(calls.c.caller).where(calls.c.sid == call)).first()
    if found is None:
        raise UnknownCall(f"Call {call} was never answered here")
    return str(found.caller)


def _known(connection: Connection, attempt: Attempt) -> Reservation | None:
    """The attempt, when it was reserved before. One still pending is judged again: whoever had it may have died."""
    tries = pin_attempts.c
    found = select(tries.outcome).where(tries.call == attempt.call, tries.turn == attempt.turn)
    outcome = connection.execute(found).scalar()
    if outcome is None:
        return None
    return Reservation("evaluate", None if outcome == "pending" else outcome)


def _queue_up(connection: Connection, attempt: Attempt, caller: str) -> None:
    """PostgreSQL lets transactions count side by side: attempts on one precinct, or by one caller, wait in line."""
    if connection.dialect.name == "postgresql":
        for name in sorted((f"pin on {attempt.precinct}", f"pin by {caller or attempt.call}")):
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name})


def _row(attempt: Attempt, at: str) -> dict[str, object]:
    return {
        "call": attempt.call,
        "turn": attempt.turn,
        "precinct": attempt.precinct,
        "registered": attempt.is_chair_number,
        "at": at,
        "outcome": "pending",
        "again_at": "",
    }
