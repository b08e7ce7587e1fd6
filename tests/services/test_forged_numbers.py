"""Calls from a number on file whose check by the carrier failed: none of a chair's rights, and no chair locked out."""

from __future__ import annotations

import pytest

from hotline.events.guard import CallScreened
from hotline.events.kinds import ChairSignedIn, ChallengeFailed, PersonCalledFor, SignInFailed
from hotline.events.verification import CallBackRequested, NoticeWanted
from hotline.screening.policy import FORGED
from hotline.services import intake, outgoing
from hotline.telephony.inbound import InboundCall
from tests.lines import line_on
from tests.services.callers import Caller, sid, spoken
from tests.services.numbered import CHAIR, CODE, OURS, SECRETARY, STRANGER, WRONG, Ringing, events
from tests.store.held import HeldClock

NAME = "1 Northwest Adair"


@pytest.fixture
def clock():
    return HeldClock()


@pytest.fixture
def line(database, tmp_path, clock):
    opened = line_on(database, tmp_path, clock, HOTLINE_NUMBERS=OURS)
    opened.roster.register_number(CHAIR, CODE, "chair")
    yield opened
    opened.ledger.engine.dispose()


@pytest.fixture
def packet(line):
    return line.pins.issue([CODE])[0]


def ring(line, n, number=CHAIR, verstat="failed"):
    """A call, and what it hears first."""
    answer = intake.answer_call(line, InboundCall(sid(n), number, OURS, verstat))
    return Caller(line, sid(n), number), spoken(answer)


def past_the_challenge(line, n):
    """The digits keyed as heard."""
    caller, _ = ring(line, n)
    return caller, spoken(caller.key(line.ledger.session(sid(n))["challenge"]))


def test_it_is_told_no_precinct_and_keys_its_code_like_anybody(line, packet):
    """A challenge, the code, the PIN: one prompt more than others, and the report can be given."""
    caller, asked = past_the_challenge(line, 1)
    assert "five-digit" in asked
    assert NAME not in asked
    assert "1 to report" in spoken(caller.keys(CODE, packet.pin))
    assert events(line, ChairSignedIn) == [ChairSignedIn(CODE)]
    (screened,) = events(line, CallScreened)
    assert (screened.decision, screened.flags) == ("challenge", (FORGED,))
    assert NAME in ring(line, 2, verstat="none")[1], "as whoever the carrier says nothing of is told"


def test_a_person_takes_it_only_after_the_challenge(line):
    """As with any stranger; when nobody is free the number on file is called."""
    line.roster.register_number(CHAIR, CODE, "chair")
    caller, _ = ring(line, 1)
    caller.key("*0")
    assert events(line, PersonCalledFor) == []
    caller, _ = past_the_challenge(line, 2)
    caller.key("*0")
    caller.key(line.ledger.session(sid(2)).get("challenge") or "1")
    assert events(line, PersonCalledFor) == [PersonCalledFor("", "star")]
    assert events(line, CallBackRequested) == [CallBackRequested(CODE, "promised")]


def test_guesses_from_it_are_a_strangers(line, packet):
    """They end the judging of PINs from unknown numbers, this one among them; the phone itself goes on getting in."""
    for n, pin in enumerate((*WRONG, *WRONG)[:10]):
        stranger = Caller(line, sid(n + 10), f"+1515555{n + 300:04}")
        stranger.ring()
        stranger.keys(CODE, pin)
    caller, _ = past_the_challenge(line, 1)
    assert "do not match" in spoken(caller.keys(CODE, packet.pin))
    assert events(line, SignInFailed)[-1] == SignInFailed(CODE, "limit")
    assert CallBackRequested(CODE, "limit") in events(line, CallBackRequested), "that is a chair's way in"
    genuine, _ = ring(line, 2, verstat="none")
    assert "1 to report" in spoken(genuine.keys("1", packet.pin))


def test_wrong_pins_from_it_leave_the_chairs_own_tries_alone(line, packet):
    """Whoever forges the number of one chair cannot use up the tries of another."""
    line.roster.register_number(SECRETARY, CODE, "secretary")
    for n in range(9):
        caller, _ = ring(line, n + 10)
        if challenge := line.ledger.session(caller.sid)["challenge"]:
            caller.key(challenge)
        caller.keys(CODE, WRONG[0], CODE, WRONG[1], CODE, WRONG[2])
    secretary, _ = ring(line, 1, SECRETARY, "none")
    assert "1 to report" in spoken(secretary.keys("1", packet.pin))


def test_phone_whose_keys_are_not_heard_is_called_back(line):
    """It cannot pass a challenge; so the number on file is called, which a forger gains nothing by."""
    caller, _ = ring(line, 1)
    assert "<Hangup" in caller.keys(None, None)
    assert events(line, ChallengeFailed) == [ChallengeFailed()]
    assert events(line, CallBackRequested) == [CallBackRequested(CODE, "doubted")]
    assert [each.precinct for each in line.call_backs.due()] == [CODE]


def test_with_no_room_it_hears_the_message_and_is_called_back(line):
    """Room is kept for chairs whom the carrier does not doubt."""
    line.conditions.set_threat(OURS, "registered-only", by="ana", why="photographed")
    assert "cannot take your call" in ring(line, 1)[1]
    assert events(line, CallBackRequested) == [CallBackRequested(CODE, "promised")]
    assert NAME in ring(line, 2, verstat="none")[1]
    ring(line, 3, STRANGER)
    assert len(events(line, CallBackRequested)) == 1, "a stranger's number is on file for nothing"


def test_its_chair_is_told_by_text_once_a_day(line, clock):
    """However often it is forged; with no number and no code of anybody's in it."""
    for n in range(3):
        ring(line, n + 1)
        clock.move(hours=7)
    assert events(line, NoticeWanted) == [NoticeWanted(CODE, FORGED)]
    (job,) = line.outbox.pending()
    carrier = Ringing()
    assert outgoing.tell(line, carrier, job.job, job.precinct) == 1
    ((number, words),) = carrier.told
    assert number == CHAIR
    assert NAME in words
    assert "telephone company" in words
    assert not any(secret in words for secret in (CODE, CHAIR, CHAIR[-4:]))
    clock.move(hours=4)
    ring(line, 9)
    assert len(events(line, NoticeWanted)) == 2


def test_another_notice_does_not_stand_for_this_one(line):
    """What was told for another reason, or of another precinct, was not told of this."""
    line.ledger.append([NoticeWanted(CODE, "failures-elsewhere"), NoticeWanted("00021", FORGED)])
    ring(line, 1)
    assert events(line, NoticeWanted)[-1] == NoticeWanted(CODE, FORGED)


def test_number_that_only_signed_in_tonight_is_no_chairs_to_be_told(line, packet):
    """Nobody is on file for it: no text, no call-back."""
    caller, _ = ring(line, 1, STRANGER, "none")
    caller.keys(CODE, packet.pin)
    ring(line, 2, STRANGER)
    assert (events(line, NoticeWanted), events(line, CallBackRequested)) == ([], [])
    assert FORGED in events(line, CallScreened)[-1].flags
