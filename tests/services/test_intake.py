"""The order of a turn: claimed once, judged, stepped, committed, and only then spoken."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from unittest.mock import Mock

import pytest
from sqlalchemy import event

from hotline.caucus.codes import is_valid
from hotline.dialog.facts import Heard
from hotline.errors import NotRecorded, UnknownCall
from hotline.events.kinds import (
    CallBackPromised,
    CallEnded,
    CallTakenOver,
    PersonCalledFor,
    ReportConfirmed,
    ReportResumed,
    SignInFailed,
    TallyGiven,
)
from hotline.services import intake
from hotline.telephony.inbound import CallFailure, CallStatus, InboundTurn, QueueLeft
from tests.lines import line_on
from tests.services.callers import NUMBERS, WHOLE, Caller, confirmation, sid, signed_in, spoken


@pytest.fixture
def packet(line):
    return line.pins.issue([next(iter(line.contest.precincts))])[0]


@pytest.fixture
def chair(line, packet):
    """A chair whose report is open, at the headcount."""
    caller = signed_in(line, packet.precinct, packet.pin)
    caller.key("1")
    return caller


def events(line, kind):
    return [recorded.event for recorded in line.ledger.events() if isinstance(recorded.event, kind)]


def test_a_whole_report_is_in_the_ledger_when_its_number_is_heard(line, chair, packet):
    """The number spoken is the one recorded, and it carries a check digit."""
    chair.keys(*WHOLE)
    heard = confirmation(chair.key("1"))
    (filed,) = events(line, ReportConfirmed)
    assert (filed.precinct, filed.version, filed.confirmation) == (packet.precinct, 1, heard)
    assert is_valid(heard)
    assert filed.final == {"Biden": 6, "Buttigieg": 8, "Klobuchar": 8, "Sanders": 9, "Warren": 9}


def test_a_repeated_turn_gets_the_same_bytes_and_records_nothing(line, chair):
    """Also the ring, also a turn long past."""
    ring = chair.ring()
    first = chair.key("46")
    before = line.ledger.head()
    assert (chair.ring(), chair.key("99", turn=4)) == (ring, first)
    chair.keys("0", "6")
    assert chair.key("46", turn=4) == first
    assert line.ledger.head() == before + 2


def test_five_concurrent_repeats_are_one_transition(line, chair):
    """Five identical answers, one event."""
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda _: chair.key("46", turn=4), range(5)))
    assert len(set(answers)) == 1
    given = [r for r in line.ledger.events() if type(r.event).__name__ == "HeadcountGiven"]
    assert [r.event.count for r in given] == [46]


@pytest.mark.parametrize("turn", [6, 7, 900])
def test_a_turn_out_of_order_gets_the_current_question(line, chair, turn):
    """And changes nothing: the next turn in order goes on as if it had not come."""
    asked = spoken(chair.key("46"))
    before = line.ledger.head()
    assert "Bennet" in spoken(chair.key("12", turn=turn))
    assert line.ledger.head() == before
    assert "Bennet" in asked
    assert "Biden" in spoken(chair.key("0"))


def test_an_unknown_call_is_refused_and_leaves_nothing(line):
    """Nothing is made up for a call the line never answered."""
    with pytest.raises(UnknownCall):
        intake.take_turn(line, InboundTurn(sid(9), 1, heard=None))
    with pytest.raises(UnknownCall):
        intake.end_call(line, CallStatus(sid(9), "completed", 3))
    with pytest.raises(UnknownCall):
        intake.leave_queue(line, QueueLeft(sid(9), "no-answer"))
    assert line.ledger.head() == 0


def failing(monkeypatch, line, times):
    """The database cannot commit the next `times` turns."""
    left = [times]
    real = line.ledger.turn

    @contextmanager
    def turn(call, n):
        with real(call, n) as opened:
            yield opened
            if left[0]:
                left[0] -= 1
                raise NotRecorded("disk full")

    monkeypatch.setattr(line.ledger, "turn", turn)


def test_a_commit_that_fails_twice_is_tried_again(monkeypatch, line, chair):
    """A database that restarts costs the caller nothing."""
    chair.keys(*WHOLE)
    failing(monkeypatch, line, 2)
    assert len(confirmation(chair.key("1"))) == 6
    assert len(events(line, ReportConfirmed)) == 1


def test_a_commit_that_fails_is_never_confirmed(monkeypatch, line, chair):
    """Asked to hold, then the same turn again, sent without keys: the question is heard once more."""
    chair.keys(*WHOLE)
    failing(monkeypatch, line, 3)
    held = chair.key("1", turn=chair.turn)
    assert confirmation(spoken(held)) == ""
    assert f'<Redirect method="POST">/voice/turn/{chair.turn}?held=1</Redirect>' in held
    assert events(line, ReportConfirmed) == []
    again = chair.key("*1")
    assert "1 to confirm" in spoken(again)
    assert len(confirmation(chair.key("1"))) == 6


def test_a_line_that_never_writes_hands_the_caller_to_a_person(monkeypatch, line, chair):
    """Held as often as there is patience for, the caller hears that nothing is recorded yet; never a number."""
    chair.keys(*WHOLE)
    monkeypatch.setattr(intake, "WAITS", ())
    failing(monkeypatch, line, intake.HOLDS + 1)
    for times in range(intake.HOLDS):
        turn = InboundTurn(chair.sid, chair.turn, Heard("1"), chair.number, times)
        assert f"held={times + 1}<" in intake.take_turn(line, turn)
    said = spoken(intake.take_turn(line, InboundTurn(chair.sid, chair.turn, Heard("1"), chair.number, intake.HOLDS)))
    assert "not recorded" in said.lower()
    assert confirmation(said) == ""


def test_another_phone_resumes_where_the_first_stopped(line, chair, packet):
    """A hang-up loses nothing; the report goes on at the next open question."""
    chair.keys(*NUMBERS[:5])
    chair.hang_up()
    other = signed_in(line, packet.precinct, packet.pin, n=2, number="+15155550102")
    assert "Delaney" in spoken(other.key("1"))
    (resumed,) = events(line, ReportResumed)
    assert resumed.from_call == sid(1)


def test_the_newer_of_two_phones_owns_the_report(line, chair, packet):
    """The older is told at its next key and ends; nothing it keys now counts."""
    chair.keys(*NUMBERS[:5])
    newer = signed_in(line, packet.precinct, packet.pin, n=2)
    tallies = len(events(line, TallyGiven))
    told = chair.key("77")
    assert "<Hangup" in told
    assert len(events(line, CallTakenOver)) == 1
    assert len(events(line, TallyGiven)) == tallies
    assert "Delaney" in spoken(newer.key("1"))


def test_an_older_phone_cannot_file_after_the_newer_did(line, chair, packet):
    """It would be a second version without the correction code."""
    chair.keys(*WHOLE)
    newer = signed_in(line, packet.precinct, packet.pin, n=2)
    newer.key("1")
    assert confirmation(newer.key("1"))
    assert confirmation(chair.key("1")) == ""
    assert len(events(line, ReportConfirmed)) == 1


def test_a_half_given_report_stays_with_its_precinct(line, chair, packet):
    """A chair who signs in for the wrong precinct leaves what was given there for the right one."""
    chair.keys(*NUMBERS[:5])
    chair.hang_up()
    stray = signed_in(line, packet.precinct, packet.pin, n=2)
    stray.key("3")
    third = signed_in(line, packet.precinct, packet.pin, n=3)
    assert "Delaney" in spoken(third.key("1"))


def test_wrong_pins_end_a_call_and_stay_refused(line, packet):
    """Three to a call, in the same words for a wrong PIN and an unknown code."""
    caller = Caller(line, sid(1))
    caller.ring()
    wrong = "00000000"
    unknown = next(f"{n:04}{d}" for n in range(9000, 9999) for d in "0123456789" if is_valid(f"{n:04}{d}"))
    first = spoken(caller.keys(packet.precinct, wrong))
    second = spoken(caller.keys(unknown, wrong))
    assert first == second
    assert "<Hangup" in caller.keys(packet.precinct, wrong)
    assert [event.reason for event in events(line, SignInFailed)] == ["wrong-pin", "unknown-code", "wrong-pin"]


def test_strangers_cannot_keep_a_chair_number_out(line, packet):
    """Ten wrong PINs from strangers end the judging of theirs, right ones included, and nobody else's."""
    line.roster.register_number("+15155550177", packet.precinct, "chair")
    for n in range(10):
        stranger = Caller(line, sid(100 + n), f"+1515555{n:04}")
        stranger.ring()
        stranger.keys(packet.precinct, "00000000")
    lucky = Caller(line, sid(200), "+15155559999")
    lucky.ring()
    assert "do not match" in spoken(lucky.keys(packet.precinct, packet.pin))
    chair = Caller(line, sid(201), "+15155550177")
    chair.ring()
    assert "1 to report" in spoken(chair.keys("1", packet.pin))


def test_a_report_without_a_number_left_goes_to_a_person(monkeypatch, line, chair):
    """An eleventh correction: nothing is confirmed, the chair is not trapped and the numbers are kept."""
    chair.keys(*WHOLE)
    monkeypatch.setattr("hotline.store.numbers.VERSIONS", 0)
    assert confirmation(chair.key("1")) == ""
    assert [event.why for event in events(line, PersonCalledFor)] == ["not-recorded"]
    assert events(line, ReportConfirmed) == []


def test_a_person_is_promised_when_nobody_is_there(line, chair):
    """Without staff numbers the call-back is on record in the very turn that promises it."""
    assert "<Hangup" in chair.key("*0")
    assert [event.why for event in events(line, PersonCalledFor)] == ["star"]
    assert [event.precinct for event in events(line, CallBackPromised)] == [chair_precinct(line)]


def chair_precinct(line):
    return next(iter(line.contest.precincts))


def test_staff_who_do_not_answer_leave_a_call_back(line, database, tmp_path, packet):
    """The dial is tried first; what is promised after it is recorded."""
    staffed = line_on(database, tmp_path, HOTLINE_STAFF_NUMBERS="+15155550001")
    chair = signed_in(staffed, packet.precinct, packet.pin)
    assert "<Dial" in chair.key("*0")
    assert events(line, CallBackPromised) == []
    assert "<Hangup" in intake.leave_queue(staffed, QueueLeft(chair.sid, "no-answer"))
    assert events(line, CallBackPromised) == [CallBackPromised(packet.precinct)]
    intake.leave_queue(staffed, QueueLeft(chair.sid, "completed"))
    assert len(events(line, CallBackPromised)) == 1
    staffed.ledger.engine.dispose()


def test_a_call_back_that_cannot_be_recorded_is_not_promised(monkeypatch, line, chair):
    """Staff did not answer, and the disk is full: hold, and at last the way back; never round and round to staff."""
    with monkeypatch.context() as patched:
        patched.setattr(type(line.ledger), "append", Mock(side_effect=NotRecorded("database or disk is full")))
        for times in range(intake.HOLDS):
            said = intake.leave_queue(line, QueueLeft(chair.sid, "no-answer", held=times))
            assert f"/voice/queue/left?held={times + 1}<" in said
        last = intake.leave_queue(line, QueueLeft(chair.sid, "no-answer", held=intake.HOLDS))
    assert "try again in ten minutes" in last
    assert "<Dial" not in last
    assert "call you back" in intake.leave_queue(line, QueueLeft(chair.sid, "no-answer", held=1))
    assert [] != events(line, CallBackPromised)


def test_the_first_word_on_a_calls_end_stands(line, chair):
    """Late and repeated callbacks change nothing, and a call in progress is not over."""
    chair.key("46")
    chair.hang_up("in-progress")
    assert events(line, CallEnded) == []
    chair.hang_up()
    chair.hang_up("failed")
    assert events(line, CallEnded) == [CallEnded("completed", "first.Bennet", 42)]


def test_a_turn_that_arrives_after_the_end_is_still_kept(line, chair):
    """The carrier may report the end before the last keys have been taken: they were keyed, they count."""
    chair.hang_up()
    chair.key("46")
    assert [e.count for e in events(line, object) if type(e).__name__ == "HeadcountGiven"] == [46]


def test_the_fallback_speaks_and_offers_a_person(line, chair):
    """Whatever the carrier could not run, the caller hears a sentence."""
    said = spoken(intake.fallback(line, CallFailure(chair.sid, "11200", "https://line.example/voice/turn/4")))
    assert len(said.split()) > 5


def test_a_mid_call_turn_is_one_transaction(line, chair):
    """Claim, session, events and answer go in together; a line holds no connection to Redis at all."""
    begun = []
    note = begun.append
    event.listen(line.ledger.engine, "begin", note)
    chair.keys("46", "0", "6")
    event.remove(line.ledger.engine, "begin", note)
    assert len(begun) == 3
    assert not [name for name in vars(line) if "redis" in name or "queue" in name]
