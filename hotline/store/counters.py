"""How many wrong PINs there were, counted in SQL so that no restart and no empty Redis allows one guess more.

A PIN is judged in three steps. `reserve` writes the attempt down as pending, under the limits as `screening.policy` has
them, in one transaction; then the PIN is judged, which takes long and holds nothing; then `settle` writes what came of
it. An attempt that is pending counts as wrong: of many guesses at once exactly as many are judged as the limit allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Engine, and_, or_, update

from hotline.clock import Clock
from hotline.screening.policy import Gate
from hotline.screening.sections import PinCeilings
from hotline.screening.signals import PinAttempts
from hotline.store import history
from hotline.store.database import in_line, reading, writing
from hotline.store.keyed import Keying
from hotline.store.schema import pin_attempts
from hotline.store.statements import ask
from hotline.store.text import instant

NUMBER_WINDOW = timedelta(hours=24)
TRACE_WINDOW = timedelta(minutes=60)
"""How far back a refused PIN is compared with those before it."""
_CEILINGS = PinCeilings()
_RUN_READ = 64
"""Attempts of a run that are read: more than any limit, so that an attack on one precinct cannot make counting slow."""

Outcome = Literal["accepted", "refused"]

IN_CALL = "SELECT turn, outcome FROM pin_attempts WHERE call = :call"

RESERVE = """
INSERT INTO pin_attempts (caller, call, turn, precinct, registered, at, outcome, again_at, trace, pattern)
VALUES (:caller, :call, :turn, :precinct, :registered, :at, 'pending', '', '', '')"""

PRESSED = "UPDATE pin_attempts SET again_at = :at WHERE id = :id"

SETTLE = """
UPDATE pin_attempts SET outcome = :outcome, trace = :trace
WHERE call = :call AND turn = :turn AND outcome = 'pending'"""

RUN = f"""
SELECT id, at, again_at FROM pin_attempts
WHERE precinct = :precinct AND registered = :registered AND id > (
  SELECT COALESCE(MAX(id), 0) FROM pin_attempts WHERE precinct = :precinct AND outcome = 'accepted'{{of_whom}})
ORDER BY id DESC LIMIT {_RUN_READ}"""  # noqa: S608 - our own words

BY_NUMBER = """
SELECT precinct, outcome, at FROM pin_attempts WHERE caller = :caller AND at > :since ORDER BY id"""

FAILED_ELSEWHERE = """
SELECT COUNT(*) FROM pin_attempts
WHERE precinct = :precinct AND outcome = 'refused' AND at > :since AND {others}"""

TRIED = f"""
SELECT id, precinct, trace FROM pin_attempts
WHERE {{whose}} AND at > :since AND trace <> '' AND NOT (call = :call AND turn = :turn)
ORDER BY id DESC LIMIT {_RUN_READ}"""  # noqa: S608 - our own words


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
        now = self._clock.now()
        with writing(self._engine) as connection:
            caller = self._key(history.caller(connection, attempt.call))
            _queue_up(connection, attempt, caller)
            in_call = dict(ask(connection, IN_CALL, {"call": attempt.call}).fetchall())
            if known := in_call.get(attempt.turn):  # pending: whoever had it may have died, so it is judged again
                return Reservation("evaluate", None if known == "pending" else known)
            lately = now - timedelta(minutes=ceilings.challenge_minutes)
            by_number = _by_number(connection, caller, instant(now - NUMBER_WINDOW)) if caller else []
            wrong = _wrong_in_a_row(connection, attempt, now, timedelta(minutes=ceilings.quiet_minutes))
            verdict = gate(
                PinAttempts(
                    is_chair_number=attempt.is_chair_number,
                    in_call=sum(outcome != "accepted" for outcome in in_call.values()),
                    by_number=len(by_number),
                    by_number_lately=sum(at > instant(lately) for at in by_number),
                    has_passed=attempt.has_passed,
                    on_precinct=len(wrong),
                )
            )
            if verdict == "evaluate":
                ask(connection, RESERVE, {**_named(attempt, caller), "at": instant(now)})
            elif wrong:
                ask(connection, PRESSED, {"id": wrong[0].id, "at": instant(now)})
            return Reservation(verdict)

    def settle(self, attempt: Attempt, *, is_accepted: bool, trace: str = "") -> None:
        """Write down what came of a reserved attempt, and a refused PIN's keyed trace. The first word stands."""
        outcome: Outcome = "accepted" if is_accepted else "refused"
        settled = {"call": attempt.call, "turn": attempt.turn, "outcome": outcome, "trace": trace}
        with writing(self._engine) as connection:
            ask(connection, SETTLE, settled)

    def failed_elsewhere(self, attempt: Attempt) -> int:
        """How many PINs others got wrong on the attempt's precinct within a day."""
        with reading(self._engine) as connection:
            caller = self._key(history.caller(connection, attempt.call))
            wrong = FAILED_ELSEWHERE.format(others="caller <> :caller" if caller else "call <> :call")
            values = {**_named(attempt, caller), "since": instant(self._clock.now() - NUMBER_WINDOW)}
            return int(ask(connection, wrong, values).fetchone()[0])

    def tried(self, attempt: Attempt) -> list[Trace]:
        """The PINs refused before this attempt within the hour: of its number, of its call when that is withheld."""
        with reading(self._engine) as connection:
            caller = self._key(history.caller(connection, attempt.call))
            tried = TRIED.format(whose="caller = :caller" if caller else "call = :call")
            values = {**_named(attempt, caller), "since": instant(self._clock.now() - TRACE_WINDOW)}
            return [Trace(*row) for row in ask(connection, tried, values).fetchall()]

    def mark_guesses(self, attempt: Attempt, pattern: str, follows: Sequence[int]) -> None:
        """Note that a refused PIN fits a pattern of guessing, and so do those before it that it goes with (ids)."""
        tries = pin_attempts.c
        with writing(self._engine) as connection:
            ours = or_(and_(tries.call == attempt.call, tries.turn == attempt.turn), tries.id.in_(follows))
            connection.execute(update(pin_attempts).where(ours, tries.pattern == "").values(pattern=pattern))


def _named(attempt: Attempt, caller: str) -> dict[str, Any]:
    return {
        "caller": caller,
        "call": attempt.call,
        "turn": attempt.turn,
        "precinct": attempt.precinct,
        "registered": attempt.is_chair_number,
    }


def _wrong_in_a_row(connection: Connection, attempt: Attempt, now: datetime, quiet: timedelta) -> list[_Try]:
    """Wrong PINs in a row on the precinct from callers like this one, newest first."""
    # A stranger who knows the PIN says nothing about the phones on file.
    run_of = RUN.format(of_whom=" AND registered" if attempt.is_chair_number else "")
    values = {"precinct": attempt.precinct, "registered": attempt.is_chair_number}
    found = [_Try(*row) for row in ask(connection, run_of, values).fetchall()]
    return found if attempt.is_chair_number else _since_quiet(found, now, quiet)


def _since_quiet(wrong: Iterable[_Try], now: datetime, quiet: timedelta) -> list[_Try]:
    """The tries since so long nobody tried at all, judged or not: then such numbers' PINs are judged again."""
    kept: list[_Try] = []
    after = now
    for each in wrong:
        if after - datetime.fromisoformat(max(each.at, each.again_at)) > quiet:
            break
        kept.append(each)
        after = datetime.fromisoformat(each.at)
    return kept


def _by_number(connection: Connection, caller: str, since: str) -> list[str]:
    """When one number's wrong PINs were; a success forgives its earlier ones on that precinct, and no other's."""
    wrong: dict[str, list[str]] = {}
    for precinct, outcome, at in ask(connection, BY_NUMBER, {"caller": caller, "since": since}).fetchall():
        if outcome == "accepted":
            wrong.pop(precinct, None)
        else:
            wrong.setdefault(precinct, []).append(at)
    return [at for times in wrong.values() for at in times]


def _queue_up(connection: Connection, attempt: Attempt, caller: str) -> None:
    """Attempts on one precinct, or by one caller, are counted one after the other."""
    for name in sorted((f"pin on {attempt.precinct}", f"pin by {caller or attempt.call}")):
        in_line(connection, name)
