"""What is known of a number at a ring: its marks by what it did, its block's, and nothing for the withheld."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import Engine, text

from hotline.events.kinds import (
    ChairSignedIn,
    ChallengeFailed,
    ChallengePassed,
    Event,
    SignInFailed,
    TallyGiven,
)
from hotline.screening.policy import pin_gate
from hotline.screening.signals import Mark, Neighbours
from hotline.store.blocks import Blocks
from hotline.store.callers import NEWEST, Callers
from hotline.store.counters import Attempt, Counters
from hotline.store.database import writing
from hotline.store.ledger import Keeping, Ledger, NewCall
from hotline.store.roster import Roster
from tests.store.held import BOTH, KEY, HeldClock

pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)
NUMBER, OTHER = "+15155551234", "+15155559999"
CODE = "00013"


@dataclass
class Phone:
    """Makes calls and leaves in the ledger what the line would."""

    ledger: Ledger
    calls: int = 0

    def call(self, *events: Event, number: str = NUMBER, strikes: int = 0, seconds: int | None = 40) -> str:
        """One whole call: two turns with `events`, then its end unless `seconds` is None."""
        self.calls += 1
        sid = f"CA{self.calls:04}"
        session = {"state": "code", "strikes": strikes, "has_passed": False}
        with self.ledger.open_call(NewCall(sid, number, "+15155550000")) as turn:
            turn.record(Keeping([], session, "<first/>"))
        for n in (1, 2) if events or strikes else ():
            with self.ledger.turn(sid, n) as turn:
                turn.record(Keeping(events if n == 1 else (), session, "<next/>"))
        if seconds is not None:
            self.ledger.end_call(sid, "completed", seconds)
        return sid


@pytest.fixture
def phone(ledger: Ledger) -> Phone:
    return Phone(ledger)


@pytest.fixture
def callers(engine: Engine, clock: HeldClock) -> Callers:
    return Callers(engine, clock, KEY)


def kinds(marks: tuple[Mark, ...]) -> list[str]:
    return [mark.kind for mark in marks if mark.kind != "rang"]


@pytest.mark.parametrize(
    ("event", "marks"),
    [
        (SignInFailed(CODE, "unknown-code"), ["unknown-code"]),
        (SignInFailed(CODE, "wrong-pin"), ["wrong-pin"]),
        (SignInFailed(CODE, "limit"), ["wrong-pin"]),
        (SignInFailed(CODE, "limit", "a run"), ["wrong-pin", "guess"]),
        (SignInFailed(CODE, "wrong-pin", "a run"), ["wrong-pin"]),
        (ChairSignedIn(CODE), ["signed-in"]),
        (ChallengePassed(), ["challenge-passed"]),
        (ChallengeFailed(), ["challenge-failed"]),
        (TallyGiven(CODE, "first", "Biden", 3), []),
    ],
)
def test_event_is_its_mark(phone: Phone, callers: Callers, event: Event, marks: list[str]) -> None:
    """Each event that says something of a caller, and none that does not; a judged guess stands in its attempt."""
    sid = phone.call(event)
    found = callers.known(NUMBER).marks
    assert marks == kinds(found)
    assert {mark.call for mark in found} == {sid}


def test_code_printed_nowhere_is_a_trap(phone: Phone, callers: Callers) -> None:
    """A code of the policy's list marks whoever keyed it, also before it was on the list."""
    phone.call(SignInFailed("00018", "unknown-code"))
    assert ["unknown-code"] == kinds(callers.known(NUMBER).marks)
    assert ["unknown-code", "honeypot"] == kinds(callers.known(NUMBER, honeypots={"00018"}).marks)


def test_end_of_a_call_is_told_from_its_length_and_keys(phone: Phone, callers: Callers, clock: HeldClock) -> None:
    """Under five seconds without a turn is a hang-up; two questions unanswered are dead air; a busy line is neither."""
    phone.call(seconds=4)
    clock.move(seconds=1)
    phone.call(seconds=5)
    clock.move(seconds=1)
    phone.call(strikes=1)
    clock.move(seconds=1)
    phone.call(strikes=2)
    assert ["hung-up", "dead-air"] == kinds(callers.known(NUMBER).marks)


def test_call_that_rings_is_not_among_its_marks(phone: Phone, callers: Callers) -> None:
    """Neither as one more ring nor as a call that lives; another that lives is."""
    ringing, talking = phone.call(seconds=None), phone.call(seconds=None)
    found = callers.known(NUMBER, ringing)
    assert ([talking], 1) == ([mark.call for mark in found.marks], found.live)


def test_marks_are_of_a_day_and_of_one_number(phone: Phone, callers: Callers, clock: HeldClock) -> None:
    """Yesterday's are gone by themselves, another number's were never there."""
    phone.call(SignInFailed(CODE, "wrong-pin"))
    phone.call(SignInFailed(CODE, "wrong-pin"), number="+13195550000")
    assert 1 == len(kinds(callers.known(NUMBER).marks))
    clock.move(hours=24, seconds=1)
    assert () == callers.known(NUMBER).marks


def test_withheld_number_is_nobodys(phone: Phone, callers: Callers, counters: Counters) -> None:
    """Nothing another withheld caller did is known of this one."""
    for _ in range(3):
        phone.call(SignInFailed(CODE, "wrong-pin"), number="", seconds=None)
    found = callers.known("")
    assert ((), (), 0, None) == (found.on_file, found.marks, found.live, found.blocked_until)


def test_neighbours_are_told_for_strangers_only(
    phone: Phone, callers: Callers, engine: Engine, clock: HeldClock
) -> None:
    """The block's strikes and successes of ten minutes, the number's own not; none for a number on file."""
    for number, event in ((OTHER, SignInFailed(CODE, "wrong-pin")), ("+15155558888", ChairSignedIn(CODE))):
        phone.call(event, number=number)
    phone.call(SignInFailed(CODE, "wrong-pin"), number="+15155551235")
    phone.call(SignInFailed(CODE, "wrong-pin"))
    assert Neighbours(1, 0) == callers.known(NUMBER).neighbours, "NPA-NXX-X: 1234 and 1235 stand together, 9999 not"
    assert Neighbours(0, 1) == callers.known("+15155558000").neighbours
    Roster(engine, clock).register_number(NUMBER, CODE, "chair")
    known = callers.known(NUMBER)
    assert ((CODE,), Neighbours()) == (known.on_file, known.neighbours)
    clock.move(minutes=10, seconds=1)
    assert Neighbours() == callers.known("+15155558000").neighbours


def test_block_holds_from_the_next_ring_until_it_ends(callers: Callers, engine: Engine, clock: HeldClock) -> None:
    """In force at once and lifted at once; lifted by staff it is a word for the number."""
    blocks = Blocks(engine, clock, KEY)
    span = timedelta(hours=1)
    made = blocks.block(NUMBER, span=span, why="abusive", by="ana")
    assert made.until == "2020-02-03T20:00:00.000Z"
    assert callers.known(NUMBER).blocked_until is not None
    assert callers.known(OTHER).blocked_until is None
    assert blocks.unblock(NUMBER, why="a chair's phone", by="ben")
    found = callers.known(NUMBER)
    assert (None, ["genuine"]) == (found.blocked_until, kinds(found.marks))
    blocks.block(NUMBER, span=span, why="again", by="ana")
    clock.move(hours=1)
    assert callers.known(NUMBER).blocked_until is None


def test_guesses_are_read_off_the_attempts(phone: Phone, callers: Callers, counters: Counters) -> None:
    """A PIN that fits a pattern, and the ones before it that it goes with."""
    attempts = [Attempt(phone.call(seconds=None), 1, CODE, False) for _ in range(3)]
    for attempt in attempts:
        counters.reserve(attempt, pin_gate)
        counters.settle(attempt, is_accepted=False, trace="t")
    before = counters.tried(attempts[1])
    assert [attempts[2].call, attempts[0].call] == [_call_of(counters, each.id) for each in before]
    counters.mark_guesses(attempts[1], "a step from one before", [before[1].id])
    assert {attempts[0].call, attempts[1].call} == {m.call for m in callers.known(NUMBER).marks if m.kind == "guess"}


def _call_of(counters: Counters, attempt: int) -> str:
    with counters._engine.connect() as connection:
        return str(connection.execute(text(f"SELECT call FROM pin_attempts WHERE id = {attempt}")).scalar())


@pytest.fixture
def crowded(engine: Engine) -> None:
    """Ten thousand calls of one number, each with a wrong PIN; of another no more than are read."""
    body = '{"precinct":"00013","reason":"wrong-pin","pattern":""}'
    rows = [
        {"sid": f"CB{n:05}", "caller": number, "at": "2020-02-03T18:59:00.000Z", "body": body}
        for n, number in enumerate([NUMBER] * 10_000 + [OTHER] * NEWEST)
    ]
    columns = "sid, caller, answered_at, called, turn, session, precinct, holds, status, seconds"
    calls = f"INSERT INTO calls ({columns}) VALUES (:sid, :caller, :at, '', 1, '', '', '', 'completed', 60)"
    events = "INSERT INTO events (at, call, precinct, kind, body) VALUES (:at, :sid, '', 'SignInFailed', :body)"
    with writing(engine) as connection:
        connection.execute(text(calls), rows)
        connection.execute(text(events), rows)


@pytest.mark.usefixtures("crowded")
def test_number_that_rang_ten_thousand_times_costs_what_any_does(callers: Callers) -> None:
    """The newest few dozen calls are read, whatever is behind them: in the time of a number that has no others."""
    took: dict[str, list[float]] = {NUMBER: [], OTHER: []}
    for number in [NUMBER, OTHER] * 20:
        before = time.perf_counter()
        marks = callers.known(number).marks
        took[number].append(time.perf_counter() - before)
        assert {"rang": NEWEST, "wrong-pin": NEWEST} == Counter(mark.kind for mark in marks)
    assert min(took[NUMBER]) < 5 * min(took[OTHER])
