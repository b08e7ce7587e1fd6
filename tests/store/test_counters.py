"""Limits on wrong PINs, one after another: what counts, for whom, and what forgives."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import text

from hotline.errors import UnknownCall
from hotline.screening.policy import pin_gate
from hotline.screening.signals import PinAttempts
from hotline.store.counters import Attempt, Counters, Reservation
from hotline.store.database import writing
from hotline.store.ledger import Keeping, Ledger, NewCall
from tests.store.held import BOTH, HeldClock

CODE = "00013"
pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)


class Caller:
    """Somebody with a phone who keys PINs, in a new call each time."""

    def __init__(self, ledger: Ledger, counters: Counters, number: str, is_chair_number: bool = False) -> None:
        self.ledger, self.counters, self.number, self.is_chair = ledger, counters, number, is_chair_number
        self.calls = 0

    def call(self) -> str:
        self.calls += 1
        sid = f"CA{self.number}-{self.calls}"
        with self.ledger.open_call(NewCall(sid, self.number, "+15155550000")) as turn:
            turn.record(Keeping([], {"state": "code"}, "<first/>"))
        return sid

    def key(self, precinct: str = CODE, right: bool = False, has_passed: bool = True) -> str:
        """Key one PIN in a new call, challenged unless said otherwise; what the gate said."""
        attempt = Attempt(self.call(), 1, precinct, self.is_chair, has_passed)
        gate = self.counters.reserve(attempt, pin_gate).gate
        if gate == "evaluate":
            self.counters.settle(attempt, is_accepted=right)
        return gate

    def counted(self, precinct: str = CODE) -> PinAttempts:
        """What the policy is told, without an attempt being made."""
        seen: list[PinAttempts] = []
        self.counters.reserve(Attempt(self.call(), 1, precinct, self.is_chair), lambda it: seen.append(it) or "limit")
        return seen[0]


def strangers(ledger: Ledger, counters: Counters, count: int) -> list[Caller]:
    return [Caller(ledger, counters, f"+1515555{n:04}") for n in range(count)]


def test_third_wrong_pin_is_a_calls_last(ledger: Ledger, counters: Counters) -> None:
    """Three wrong PINs in one call, over any precincts, and the fourth goes to a person."""
    sid = Caller(ledger, counters, "+15155551234").call()
    gates = []
    for turn in range(1, 5):
        attempt = Attempt(sid, turn, f"{turn:05}", False)
        gates.append(counters.reserve(attempt, pin_gate).gate)
        counters.settle(attempt, is_accepted=False)
    assert ["evaluate"] * 3 + ["person"] == gates


def test_number_has_ten_a_day(ledger: Ledger, counters: Counters, clock: HeldClock) -> None:
    """Ten wrong PINs from one number in 24 hours; a day later it may try again."""
    caller = Caller(ledger, counters, "+15155551234")
    assert ["evaluate"] * 10 + ["person"] == [caller.key(f"{n:05}") for n in range(11)]
    clock.move(hours=24, seconds=1)
    assert "evaluate" == caller.key()


def test_fifth_in_a_quarter_of_an_hour_is_the_last_without_a_challenge(
    ledger: Ledger, counters: Counters, clock: HeldClock
) -> None:
    """Five wrong PINs from one number in 15 minutes; who has passed the challenge goes on, and so does who waits."""
    caller = Caller(ledger, counters, "+15155551234")
    assert ["evaluate"] * 5 + ["challenge"] == [caller.key(f"{n:05}", has_passed=False) for n in range(6)]
    assert "evaluate" == caller.key("00006")
    clock.move(minutes=15, seconds=1)
    assert "evaluate" == caller.key("00007", has_passed=False)


def test_number_that_rang_ten_thousand_times_is_counted_as_any_other(ledger: Ledger, counters: Counters) -> None:
    """Calls without a PIN bury none of its wrong ones, and are not read."""
    caller = Caller(ledger, counters, "+15155551234")
    assert ["evaluate"] * 10 == [caller.key(f"{n:05}") for n in range(10)]
    many = [(f"CB{n}", caller.number, "2020-02-03T19:00:00.000Z") for n in range(10_000)]
    with writing(ledger.engine) as connection:
        columns = "sid, caller, answered_at, called, turn, session, precinct, holds, status, seconds"
        insert = text(f"INSERT INTO calls ({columns}) VALUES (:sid, :caller, :at, '', 1, '', '', '', '', 0)")
        connection.execute(insert, [dict(zip(("sid", "caller", "at"), each, strict=True)) for each in many])
    before = time.perf_counter()
    assert "person" == caller.key("00011")
    assert time.perf_counter() - before < 0.1


def test_refused_pins_are_compared_by_trace(ledger: Ledger, counters: Counters, clock: HeldClock) -> None:
    """The traces of an hour: a number's own over its calls, a withheld caller's of this call only."""
    caller, other = strangers(ledger, counters, 2)
    for each, trace in ((caller, "a"), (other, "b")):
        attempt = Attempt(each.call(), 1, CODE, False)
        counters.reserve(attempt, pin_gate)
        counters.settle(attempt, is_accepted=False, trace=trace)
    again = Attempt(caller.call(), 1, CODE, False)
    assert ["a"] == [each.trace for each in counters.tried(again)]
    assert [] == counters.tried(Attempt(Caller(ledger, counters, "").call(), 1, CODE, False))
    clock.move(hours=1, seconds=1)
    assert [] == counters.tried(again)


def test_others_failures_are_told_from_ones_own(ledger: Ledger, counters: Counters) -> None:
    """A chair who slipped is not warned of themselves."""
    chair, *others = strangers(ledger, counters, 4)
    chair.key()
    for each in others:
        each.key()
    assert 3 == counters.failed_elsewhere(Attempt(chair.call(), 1, CODE, False))


def test_success_forgives_that_number_on_that_precinct(ledger: Ledger, counters: Counters) -> None:
    """A right PIN clears the number's slips on that precinct: neither those elsewhere nor other numbers'."""
    caller, other = strangers(ledger, counters, 2)
    assert ["evaluate"] * 5 == [each.key(code) for each in (caller, other) for code in (CODE, "00027")] + [caller.key()]
    caller.key(right=True)
    assert (1, 2) == (caller.counted("00031").by_number, other.counted("00031").by_number)


def test_withheld_number_has_no_day_count(ledger: Ledger, counters: Counters) -> None:
    """Nobody is counted under an empty number."""
    caller = Caller(ledger, counters, "")
    assert ["evaluate"] * 12 == [caller.key(f"{n:05}", has_passed=False) for n in range(12)]
    assert 0 == caller.counted().by_number


def test_strangers_never_lock_out_a_chair_number(ledger: Ledger, counters: Counters) -> None:
    """Ten wrong PINs from strangers end the judging of strangers' PINs on that precinct, and of nobody else's."""
    gates = [caller.key() for caller in strangers(ledger, counters, 30)]
    assert ["evaluate"] * 10 + ["limit"] * 20 == gates
    assert "evaluate" == Caller(ledger, counters, "+15155559999", is_chair_number=True).key(right=True)
    assert "evaluate" == Caller(ledger, counters, "+15155558888").key(), "a chair number's success ends it"
    assert "evaluate" == Caller(ledger, counters, "+15155557777").key("00027"), "other precincts never felt it"


def test_chair_numbers_have_a_ceiling_of_their_own(ledger: Ledger, counters: Counters) -> None:
    """Twenty wrong PINs in a row from chair numbers, then a person; a stranger's success says nothing about them."""
    chairs = [Caller(ledger, counters, f"+1515555{n:04}", is_chair_number=True) for n in range(22)]
    assert ["evaluate"] * 20 == [chair.key() for chair in chairs[:20]]
    assert "evaluate" == Caller(ledger, counters, "+15155558888").key(right=True)
    assert "person" == chairs[20].key()


def test_an_hour_of_quiet_ends_the_limit(ledger: Ledger, counters: Counters, clock: HeldClock) -> None:
    """Quiet means no try at all: knocking on while the limit holds makes it last."""
    callers = strangers(ledger, counters, 14)
    assert ["evaluate"] * 10 == [caller.key() for caller in callers[:10]]
    clock.move(minutes=50)
    assert "limit" == callers[10].key()
    clock.move(minutes=50)
    assert "limit" == callers[11].key(), "the last try is 50 minutes old"
    clock.move(minutes=61)
    assert ["evaluate", "evaluate"] == [callers[12].key(), callers[13].key()]
    assert 2 == callers[0].counted().on_precinct


def test_repeated_request_is_one_attempt(ledger: Ledger, counters: Counters) -> None:
    """The carrier repeats a turn: while it is judged it may be judged again, and then has its outcome ready."""
    sid = Caller(ledger, counters, "+15155551234").call()
    attempt = Attempt(sid, 3, CODE, False)
    assert [Reservation("evaluate")] * 2 == [counters.reserve(attempt, pin_gate) for _ in range(2)]
    counters.settle(attempt, is_accepted=True)
    counters.settle(attempt, is_accepted=False)
    assert Reservation("evaluate", "accepted") == counters.reserve(attempt, pin_gate)
    assert 0 == Caller(ledger, counters, "+15155551234x").counted().on_precinct


def test_attempt_never_settled_counts_as_wrong(ledger: Ledger, counters: Counters) -> None:
    """A process that dies while judging does not give a guess away."""
    caller = Caller(ledger, counters, "+15155551234")
    counters.reserve(Attempt(caller.call(), 1, CODE, False), pin_gate)
    assert PinAttempts(by_number=1, by_number_lately=1, on_precinct=1) == caller.counted()


def test_unknown_call_cannot_guess(counters: Counters) -> None:
    """Nobody guesses outside a call."""
    with pytest.raises(UnknownCall):
        counters.reserve(Attempt("CA404", 1, CODE, False), pin_gate)
