"""How many wrong PINs there were, counted in SQL so that no restart and no empty Redis allows one guess more.

A PIN is judged in three steps. `reserve` writes the attempt down as pending, under the limits as `screening.policy` has
them, in one transaction; then the PIN is judged, which takes long and holds nothing; then `settle` writes what came of
it. An attempt that is pending counts as wrong: of many guesses at once exactly as many are judged as the limit allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, and_, func, insert, or_, select, text, update

from hotline.clock import Clock
from hotline.errors import UnknownCall
from hotline.screening.policy import Gate
from hotline.screening.sections import PinCeilings
from hotline.screening.signals import PinAttempts
from hotline.store.database import reading, writing
from hotline.store.keyed import Keying
from hotline.store.schema import calls, pin_attempts
from hotline.store.text import instant

NUMBER_WINDOW = timedelta(hours=24)
TRACE_WINDOW = timedelta(minutes=60)
"""How far back a refused PIN is compared with those before it."""
_CEILINGS = PinCeilings()
_RUN_READ = 64
"""Attempts of a run that are read: more than any limit, so that an attack on one precinct cannot make counting slow."""

Outcome = Literal["accepted", "refused"]


@dataclass(frozen=True)
class Attempt:
    """One PIN to be judged or not. `call` and `turn` make it one attempt, however often the carrier repeats it.

    `has_passed`: the call has keyed the three spoken digits.
    """

    call: str
    turn: int
    precinct: str
    is_chair_number: bool
    has_passed: bool = False


@dataclass(frozen=True)
class Reservation:
    """What to do with a PIN. `outcome` is set when this very attempt was judged before: do not judge it again."""

    gate: Gate
    outcome: Outcome | None = None


class Trace(NamedTuple):
    """A PIN that was refused: the attempt's id, the precinct, and its keyed trace."""

    id: int
    precinct: str
    trace: str


class _Try(NamedTuple):
    id: int
    at: str
    again_at: str


class Counters:
    """Reserves and settles PIN attempts; guards the engine and the key of numbers."""

    def __init__(self, engine: Engine, clock: Clock, key: Keying) -> None:
        self._engine, self._clock, self._key = engine, clock, key

    def reserve(
        self, attempt: Attempt, gate: Callable[[PinAttempts], Gate], ceilings: PinCeilings = _CEILINGS
    ) -> Reservation:
        """Count, ask the policy `gate`, and on "evaluate" write the attempt down as pending: all or nothing.

        Of `ceilings` the windows are used. Raises `UnknownCall`, and `NotRecorded` when the database cannot: then the
        PIN must not be judged.
        """
        with writing(self._engine) as connection:
            caller = self._key(_caller(connection, attempt.call))
            _queue_up(connection, attempt, caller)
            if known := _known(connection, attempt):
                return known
            run = self._run(connection, attempt, timedelta(minutes=ceilings.quiet_minutes))
            lately = timedelta(minutes=ceilings.challenge_minutes)
            verdict = gate(_counts(connection, attempt, caller, len(run), (self._clock.now(), lately)))
            if verdict == "evaluate":
                connection.execute(insert(pin_attempts).values(_row(attempt, caller, instant(self._clock.now()))))
            elif run:
                pressed = update(pin_attempts).where(pin_attempts.c.id == run[0].id)
                connection.execute(pressed.values(again_at=instant(self._clock.now())))
            return Reservation(verdict)

    def settle(self, attempt: Attempt, *, is_accepted: bool, trace: str = "") -> None:
        """Write down what came of a reserved attempt, and a refused PIN's keyed trace. The first word stands."""
        outcome: Outcome = "accepted" if is_accepted else "refused"
        with writing(self._engine) as connection:
            pending = update(pin_attempts).where(*_ours(attempt), pin_attempts.c.outcome == "pending")
            connection.execute(pending.values(outcome=outcome, trace=trace))

    def failed_elsewhere(self, attempt: Attempt) -> int:
        """How many PINs others got wrong on the attempt's precinct within a day."""
        tries = pin_attempts.c
        since = instant(self._clock.now() - NUMBER_WINDOW)
        wrong = select(func.count()).where(
            tries.precinct == attempt.precinct, tries.outcome == "refused", tries.at > since
        )
        with reading(self._engine) as connection:
            caller = self._key(_caller(connection, attempt.call))
            others = tries.caller != caller if caller else tries.call != attempt.call
            return connection.execute(wrong.where(others)).scalar_one()

    def tried(self, attempt: Attempt) -> list[Trace]:
        """The PINs refused before this attempt within the hour: of its number, of its call when that is withheld."""
        tries = pin_attempts.c
        since = instant(self._clock.now() - TRACE_WINDOW)
        before = select(tries.id, tries.precinct, tries.trace).where(tries.at > since, tries.trace != "")
        with reading(self._engine) as connection:
            caller = self._key(_caller(connection, attempt.call))
            mine = before.where(tries.caller == caller) if caller else before.where(tries.call == attempt.call)
            others = mine.where(~and_(*_ours(attempt))).order_by(tries.id.desc()).limit(_RUN_READ)
            return [Trace(*row) for row in connection.execute(others)]

    def mark_guesses(self, attempt: Attempt, pattern: str, follows: Sequence[int]) -> None:
        """Note that a refused PIN fits a pattern of guessing, and so do those before it that it goes with (ids)."""
        tries = pin_attempts.c
        with writing(self._engine) as connection:
            ours = or_(and_(*_ours(attempt)), tries.id.in_(follows))
            connection.execute(update(pin_attempts).where(ours, tries.pattern == "").values(pattern=pattern))

    def _run(self, connection: Connection, attempt: Attempt, quiet: timedelta) -> list[_Try]:
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
        return run if attempt.is_chair_number else _since_quiet(run, self._clock.now(), quiet)


def _ours(attempt: Attempt) -> tuple[ColumnElement[bool], ...]:
    return pin_attempts.c.call == attempt.call, pin_attempts.c.turn == attempt.turn


def _since_quiet(run: Iterable[_Try], now: datetime, quiet: timedelta) -> list[_Try]:
    """The tries since so long nobody tried at all, judged or not: then such numbers' PINs are judged again."""
    kept: list[_Try] = []
    after = now
    for each in run:
        if after - datetime.fromisoformat(max(each.at, each.again_at)) > quiet:
            break
        kept.append(each)
        after = datetime.fromisoformat(each.at)
    return kept


def _counts(
    connection: Connection, attempt: Attempt, caller: str, on_precinct: int, window: tuple[datetime, timedelta]
) -> PinAttempts:
    """`window` is now, and how long is lately."""
    tries, (now, lately) = pin_attempts.c, window
    in_call = select(func.count()).where(tries.call == attempt.call, tries.outcome != "accepted")
    in_a_day = _by_number(connection, caller, instant(now - NUMBER_WINDOW)) if caller else []
    return PinAttempts(
        is_chair_number=attempt.is_chair_number,
        in_call=connection.execute(in_call).scalar_one(),
        by_number=len(in_a_day),
        by_number_lately=sum(at > instant(now - lately) for at in in_a_day),
        has_passed=attempt.has_passed,
        on_precinct=on_precinct,
    )


def _by_number(connection: Connection, caller: str, since: str) -> list[str]:
    """When one number's wrong PINs were; a success forgives its earlier ones on that precinct, and no other's."""
    tries = pin_attempts.c
    of_number = select(tries.precinct, tries.outcome, tries.at).where(tries.caller == caller, tries.at > since)
    wrong: dict[str, list[str]] = {}
    for precinct, outcome, at in connection.execute(of_number.order_by(tries.id)):
        if outcome == "accepted":
            wrong.pop(precinct, None)
        else:
            wrong.setdefault(precinct, []).append(at)
    return [at for times in wrong.values() for at in times]


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


def _row(attempt: Attempt, caller: str, at: str) -> dict[str, object]:
    return {
        "caller": caller,
        "call": attempt.call,
        "turn": attempt.turn,
        "precinct": attempt.precinct,
        "registered": attempt.is_chair_number,
        "at": at,
        "outcome": "pending",
        "again_at": "",
    }
