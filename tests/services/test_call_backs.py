"""The line calls a number on file: whom, when, what the chair's keys do to the result, and what goes wrong."""

from __future__ import annotations

import logging

import pytest

from hotline.caucus.codes import with_check_digit
from hotline.errors import NotRecorded
from hotline.events.decisions import ReportAccepted
from hotline.events.kinds import CallEnded, ChairSignedIn
from hotline.events.verification import (
    CallBackAnswered,
    CallBackFailed,
    CallBackPlaced,
    CallBackRequested,
    ReportDisputed,
    ReportVerified,
    VerificationWanted,
)
from hotline.services import call_backs, outgoing
from hotline.services.tabulation import rebuild, tabulate
from hotline.telephony.inbound import CallStatus, InboundCall
from hotline.telephony.outbound import CarrierBusy, CarrierRefused
from tests.services.callers import WHOLE, Caller, confirmation, sid, spoken
from tests.services.numbered import CHAIR, CODE, OURS, SECRETARY, STRANGER, WRONG, Ringing, events, numbered_line
from tests.services.reports import confirmed, worksheet

line = numbered_line


@pytest.fixture
def packet(line):
    return line.pins.issue([CODE])[0]


def doubted(line, version=1):
    """A version that waits for the chair's word, and its call-back."""
    line.ledger.append(
        [
            confirmed(CODE, worksheet(), version),
            VerificationWanted(CODE, version, "contested"),
            CallBackRequested(CODE, "contested", version),
        ]
    )


def picked_up(line, number=CHAIR, n=90):
    """The carrier calls; somebody picks up. A caller at the first question, and what was heard."""
    (due,) = line.call_backs.due()
    assert outgoing.call_back(line, Ringing(), due.id) == "placed"
    heard = call_backs.answer(line, due.id, InboundCall(sid(n), OURS, number))
    return Caller(line, sid(n), OURS), heard


def test_a_version_in_doubt_is_held_until_the_chair_verifies_it(line, packet):
    """From the call to the result, and worked out from nothing it is the same."""
    doubted(line)
    assert (tabulate(line, CODE), rebuild(line)[CODE].status) == ("held", "held")
    chair, heard = picked_up(line)
    assert "calling about 1 Northwest Adair" in spoken(heard)
    assert "Headcount 100" in spoken(chair.key("1"))
    chair.key("1")
    assert "confirmed as yours" in spoken(chair.key(packet.correction_code))
    assert (tabulate(line, CODE), rebuild(line)[CODE].status) == ("counted", "counted")
    assert events(line, ReportVerified) == [ReportVerified(CODE, 1)]
    assert line.outbox.backlog().depth == 0


def test_a_disputed_version_stays_held_and_staff_may_still_accept_it(line):
    """The chair's no is on record beside what staff decide."""
    doubted(line)
    chair, _ = picked_up(line)
    chair.keys("1", "2")
    assert events(line, ReportDisputed) == [ReportDisputed(CODE, 1)]
    assert tabulate(line, CODE) == "held"
    line.ledger.append([ReportAccepted(CODE, 1, "ana", "paper seen")])
    assert tabulate(line, CODE) == "counted"


def test_a_verified_version_that_breaks_a_rule_is_still_held(line, packet):
    """The chair's word says whose the numbers are, not that they add up."""
    line.ledger.append(
        [
            confirmed(CODE, worksheet(final={"Biden": 200}), 1),
            VerificationWanted(CODE, 1, "contested"),
            CallBackRequested(CODE, "contested", 1),
            ReportVerified(CODE, 1),
        ]
    )
    assert tabulate(line, CODE) == "held"


def test_what_was_settled_meanwhile_is_not_asked(line):
    """Staff were quicker: the chair is told nothing of it and may report."""
    doubted(line)
    line.ledger.append([ReportAccepted(CODE, 1, "ana", "paper seen")])
    chair, _ = picked_up(line)
    assert "PIN" in spoken(chair.key("1"))


def test_past_the_limit_a_chair_on_another_phone_needs_one_call_back(line, packet):
    """Refused in the words of a wrong PIN, called at the number on file, and reporting there with the same PIN."""
    for n, pin in enumerate(10 * ("70361548",)):
        stranger = Caller(line, sid(n + 1), f"+1515555{n + 300:04}")
        stranger.ring()
        refused = stranger.keys(CODE, pin)
    chair = Caller(line, sid(50), STRANGER)
    chair.ring()
    assert spoken(chair.keys(CODE, packet.pin)) == spoken(refused)
    assert CallBackRequested(CODE, "limit") in events(line, CallBackRequested)
    chair, _ = picked_up(line)
    assert len(confirmation(chair.keys("1", packet.pin, "1", *WHOLE, "1"))) == 6
    assert line.ledger.standing(CODE).unverified == frozenset()


def test_a_number_that_was_not_called_gets_no_further_than_goodbye(line):
    """Nor does a second answer, or a call-back nobody placed. Nothing is on record of them."""
    doubted(line)
    (due,) = line.call_backs.due()
    never = call_backs.answer(line, due.id, InboundCall(sid(1), OURS, CHAIR))
    outgoing.call_back(line, Ringing(), due.id)
    other = call_backs.answer(line, due.id, InboundCall(sid(2), OURS, STRANGER))
    first = call_backs.answer(line, due.id, InboundCall(sid(3), OURS, CHAIR))
    again = call_backs.answer(line, due.id, InboundCall(sid(3), OURS, CHAIR))
    second = call_backs.answer(line, due.id, InboundCall(sid(4), OURS, CHAIR))
    unknown = call_backs.answer(line, 999, InboundCall(sid(5), OURS, CHAIR))
    assert {spoken(each) for each in (never, other, second, unknown)} == {"Thank you. Goodbye."}
    assert first == again
    assert events(line, CallBackAnswered) == [CallBackAnswered(CODE, due.id)]


def test_a_machine_is_not_put_through_when_the_database_is_away(line, monkeypatch):
    """Nobody is rung for it: it hears a goodbye, and the same call may be answered once the database is back."""
    doubted(line)
    (due,) = line.call_backs.due()
    outgoing.call_back(line, Ringing(), due.id)
    with monkeypatch.context() as away:
        away.setattr(line.ledger, "open_call", _away)
        heard = call_backs.answer(line, due.id, InboundCall(sid(3), OURS, CHAIR))
    assert (spoken(heard), "<Dial" in heard) == ("Thank you. Goodbye.", False)
    assert "calling about" in spoken(call_backs.answer(line, due.id, InboundCall(sid(3), OURS, CHAIR)))


def _away(*given):
    raise NotRecorded("disk full")


def test_only_numbers_on_file_are_called_and_each_in_turn(line):
    """Least called first; whoever's call asked for it is never rung."""
    line.roster.register_number(SECRETARY, CODE, "secretary")
    carrier = Ringing()
    for version in (1, 2):
        doubted(line, version)
        (due,) = line.call_backs.waiting()
        number = outgoing.next_number(line, CODE)
        line.call_backs.claim(due.id, number)
        carrier.called.append(number)
        line.call_backs.fail(due.id, "no-answer")
        _forget_the_pause(line)
    assert carrier.called == [CHAIR, SECRETARY]
    assert outgoing.next_number(line, "00021") is None


def _forget_the_pause(line):
    with line.ledger.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE call_backs SET placed_at = '2020-02-03T00:00:00.000Z'")


def test_a_precinct_nobody_has_a_number_for_is_closed_for_staff_to_see(line, caplog):
    """So is a code that is no precinct's: anybody can key one."""
    for code in ("00021", with_check_digit("9998")):
        line.ledger.append([CallBackRequested(code, "slow")])
    for due in line.call_backs.due(limit=9):
        with caplog.at_level(logging.WARNING):
            assert outgoing.call_back(line, Ringing(), due.id) == "no-number"
    assert [each.why for each in events(line, CallBackFailed)] == ["no-number", "no-number"]
    assert "no number is on file" in caplog.text


def test_a_busy_carrier_is_asked_again_and_nobody_is_rung_twice(line):
    """It said that it did nothing."""
    doubted(line)
    (due,) = line.call_backs.due()
    with pytest.raises(CarrierBusy):
        outgoing.call_back(line, Ringing(CarrierBusy("too much")), due.id)
    carrier = Ringing()
    assert [outgoing.call_back(line, carrier, due.id) for _ in range(3)] == ["placed", "not due", "not due"]
    assert carrier.called == [(CHAIR, f"/voice/back/answer/{due.id}", f"/voice/back/ended/{due.id}")]
    assert events(line, CallBackPlaced) == [CallBackPlaced(CODE, due.id, "…0101")]


def test_a_carrier_that_refused_or_fell_silent_is_not_asked_again(line):
    """The telephone may have rung all the same."""
    doubted(line)
    (due,) = line.call_backs.due()
    assert outgoing.call_back(line, Ringing(CarrierRefused("gone")), due.id) == "refused"
    carrier = Ringing()
    outgoing.call_back(line, carrier, due.id)
    assert carrier.called == []
    assert events(line, CallBackFailed) == [CallBackFailed(CODE, due.id, "refused")]
    assert tabulate(line, CODE) == "held"


def test_the_end_of_a_call_back_is_on_record_once(line):
    """Nobody picked up, or a call like any other has ended."""
    doubted(line)
    (due,) = line.call_backs.due()
    outgoing.call_back(line, Ringing(), due.id)
    for _ in range(2):
        call_backs.end(line, due.id, CallStatus(sid(1), "no-answer", 0))
    call_backs.end(line, due.id, CallStatus(sid(1), "completed", 0))
    assert events(line, CallBackFailed) == [CallBackFailed(CODE, due.id, "no-answer")]
    _forget_the_pause(line)
    doubted(line, 2)
    picked_up(line)
    call_backs.end(line, due.id + 1, CallStatus(sid(90), "completed", 12))
    assert events(line, CallEnded) == [CallEnded("completed", "back", 12)]


def test_a_chair_promised_a_call_back_is_put_in_line_for_one(line):
    """Nobody is on duty: the promise is kept by calling the number on file."""
    chair = Caller(line, sid(1), CHAIR)
    chair.ring()
    assert "call you back" in spoken(chair.key("*0"))
    assert [(each.precinct, each.why) for each in line.call_backs.waiting()] == [(CODE, "promised")]


def test_three_held_reports_of_a_contested_precinct_are_enough(line, packet):
    """The fourth right PIN from a number not on file sounds like a wrong one, and the chair is called."""
    for version in (1, 2, 3):
        doubted(line, version)
    refused = ""
    for n, pin in enumerate(WRONG):
        stranger = Caller(line, sid(n + 1), f"+1515555{n + 300:04}")
        stranger.ring()
        refused = stranger.keys(CODE, pin)
    another = Caller(line, sid(50), STRANGER)
    another.ring()
    assert spoken(another.keys(CODE, packet.pin)) == spoken(refused)
    assert events(line, ChairSignedIn) == []
    chair = Caller(line, sid(51), CHAIR)
    chair.ring()
    assert "1 Northwest Adair" in spoken(chair.keys("1", packet.pin))
