"""Call-backs: who may be called when, once, and by whom it may be answered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from hotline.events.kinds import Event
from hotline.events.verification import CallBackFailed, CallBackRequested
from hotline.store.call_backs import PACE, PER_HOUR, CallBacks
from hotline.store.ledger import Ledger
from tests.store.held import BOTH, KEY

CHAIR, SECRETARY = "+15155550101", "+15155550102"
PRECINCT = "00018"

pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)


@pytest.fixture
def call_backs(engine, clock) -> CallBacks:
    return CallBacks(engine, clock, KEY)


def request(ledger: Ledger, precinct: str = PRECINCT, version: int | None = None, why: str = "limit") -> None:
    ledger.append([CallBackRequested(precinct, why, version)])


def taken(call_backs: CallBacks, number: str = CHAIR) -> int:
    (due,) = call_backs.due()
    assert call_backs.claim(due.id, number)
    return due.id


def failures(ledger: Ledger) -> list[Event]:
    return [each.event for each in ledger.events() if isinstance(each.event, CallBackFailed)]


def test_what_is_requested_twice_waits_once(ledger, call_backs) -> None:
    """However often strangers try a precinct, its chair is called once."""
    for _ in range(5):
        request(ledger)
    assert [(each.precinct, each.version) for each in call_backs.waiting()] == [(PRECINCT, 0)]


def test_a_report_to_verify_takes_the_place_of_what_waits_and_goes_before_others(ledger, call_backs) -> None:
    """A newer version too; nothing takes the place of a report."""
    for precinct, version in (("00025", None), (PRECINCT, None), (PRECINCT, 1), (PRECINCT, 2), (PRECINCT, None)):
        request(ledger, precinct, version)
    assert [(each.precinct, each.version) for each in call_backs.due(limit=9)] == [(PRECINCT, 2), ("00025", 0)]


def test_of_many_takers_one_gets_it(ledger, call_backs) -> None:
    """Two relays, or a job that runs twice: the chair's telephone rings once."""
    request(ledger)
    (due,) = call_backs.due()
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda _: call_backs.claim(due.id, CHAIR), range(8)))
    assert got.count(True) == 1


def test_a_precinct_is_not_called_twice_within_five_minutes(ledger, call_backs, clock) -> None:
    """What is asked for meanwhile waits, and is called then."""
    request(ledger)
    taken(call_backs)
    request(ledger, version=1)
    (waiting,) = call_backs.waiting()
    clock.move(minutes=4, seconds=59)
    assert call_backs.due() == []
    assert not call_backs.claim(waiting.id, CHAIR)
    clock.move(seconds=2)
    assert taken(call_backs) == waiting.id


def test_guessing_all_night_has_a_chair_called_three_times_an_hour(ledger, call_backs, clock) -> None:
    """A report to verify is not kept waiting by it."""
    for _ in range(PER_HOUR):
        request(ledger)
        taken(call_backs)
        clock.move(minutes=6)
    request(ledger)
    assert call_backs.due() == []
    request(ledger, version=1)
    assert [each.version for each in call_backs.due()] == [1]


def test_the_line_calls_sixty_times_a_minute(ledger, call_backs, clock) -> None:
    """The carrier would queue or refuse more."""
    for number in range(PACE + 1):
        request(ledger, f"{number:05}")
    for each in call_backs.due(limit=PACE):
        assert call_backs.claim(each.id, CHAIR)
    (last,) = call_backs.due()
    assert not call_backs.claim(last.id, CHAIR)
    clock.move(seconds=61)
    assert call_backs.claim(last.id, CHAIR)


def test_a_request_is_good_for_ten_minutes(ledger, call_backs, clock) -> None:
    """Never called, or not picked up in time; where a worker ended with it in hand, nobody knows which."""
    request(ledger)
    request(ledger, "00025")
    rung = taken(call_backs)
    clock.move(minutes=10, seconds=1)
    assert call_backs.due() == []
    assert call_backs.answer(rung, "CA1", CHAIR) is None
    assert (call_backs.expire(), call_backs.expire()) == (2, 0)
    assert failures(ledger) == [CallBackFailed("00025", 2, "expired"), CallBackFailed(PRECINCT, rung, "unknown")]


def test_only_the_called_number_answers_and_only_once(ledger, call_backs) -> None:
    """A repeated request of the same call is the same answer."""
    request(ledger, version=3)
    assert call_backs.answer(1, "CA0", CHAIR) is None  # never placed
    rung = taken(call_backs)
    assert call_backs.answer(rung, "CA1", SECRETARY) is None
    first = call_backs.answer(rung, "CA1", CHAIR)
    assert first is not None
    assert (first.precinct, first.version) == (PRECINCT, 3)
    assert call_backs.answer(rung, "CA1", CHAIR) == first
    assert call_backs.answer(rung, "CA2", CHAIR) is None


def test_a_busy_carrier_leaves_it_waiting(ledger, call_backs) -> None:
    """It is due again at once: nobody's telephone rang."""
    request(ledger)
    rung = taken(call_backs)
    call_backs.give_back(rung)
    assert taken(call_backs) == rung
    assert call_backs.called_before(PRECINCT, [CHAIR, SECRETARY]) == {CHAIR: 1, SECRETARY: 0}


def test_what_reached_nobody_is_on_record_once(ledger, call_backs) -> None:
    """And is not called again by itself."""
    request(ledger)
    rung = taken(call_backs)
    assert (call_backs.fail(rung, "busy"), call_backs.fail(rung, "no-answer")) == (True, False)
    assert failures(ledger) == [CallBackFailed(PRECINCT, rung, "busy")]
    assert call_backs.waiting() == []


def test_no_whole_number_is_kept(ledger, call_backs, engine) -> None:
    """Only its key."""
    request(ledger)
    taken(call_backs)
    with engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT number FROM call_backs").scalar_one()
    assert len(kept) == 32
    assert CHAIR[-7:] not in kept
