"""Callers there is a doubt about: the challenge, the slow lane, a sign-in that needs the chair's word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotline.dialog.facts import Facts
from hotline.dialog.script import Script
from hotline.events.kinds import ChairSignedIn, ChallengePassed, PersonCalledFor, ReportConfirmed, SignInFailed
from hotline.events.verification import CallBackRequested, NoticeWanted, VerificationWanted
from hotline.telephony.speech import seconds
from hotline.telephony.twiml import FIRST_KEY
from tests.dialog.calling import CONTEST, FOUR, PIN, TWO, UNKNOWN, Call, Line

WRONG = "11111111"
REPORT = ("1", "100", "40", "30", "20", "10", "1", "40", "30", "30", "0", "1", "1", "1")
BOTH = Script(CONTEST, ("en", "es"))


def test_a_silent_caller_takes_at_most_25_seconds_of_the_challenge() -> None:
    """Two tries, each with its words and its waiting, in the line's longest greeting."""
    call = Line(Script(replace(CONTEST, line="Iowa caucus results line"), ("en", "es"))).ring(challenge="471")
    first = seconds(call.said) + FIRST_KEY[call.turn.reply.listen]
    call.key("-")
    assert first + seconds(call.said) + FIRST_KEY[call.turn.reply.listen] <= 25
    assert call.key("-").turn.reply.then == "hang-up"


def test_new_digits_are_spoken_at_each_try_and_old_ones_are_worth_nothing() -> None:
    """A recording of the first try does not answer the second."""
    call = Line().ring(challenge="471")
    assert "4 7 1" in call.said
    call.key("999")
    assert "4 7 1" not in call.said
    assert call.key("471").turn.reply.then == "hang-up"


def test_a_number_that_failed_too_often_lately_is_challenged_and_comes_back_to_the_code() -> None:
    """The PIN that brought it there was not judged, so it is asked again, and no failure is noted."""
    line = Line()
    call = line.ring().key(FOUR)
    line.gate = Facts(sign_in="challenge", challenge="808")
    assert call.key(PIN).state == "challenge"
    assert "8 0 8" in call.said
    line.gate = None
    assert call.key("808").state == "code"
    assert call.key(FOUR, PIN).state == "precinct"
    assert call.events == (ChallengePassed(), ChairSignedIn(FOUR))


def test_asking_for_a_person_earlier_does_not_lead_past_the_code() -> None:
    """The challenge before a sign-in leads to the sign-in."""
    line = Line()
    call = line.ring().key("*0", "*2", FOUR)
    line.gate = Facts(sign_in="challenge", challenge="808")
    assert call.key(PIN, "808").state == "code"


def test_a_slow_caller_has_one_sign_in_and_then_the_chair_is_called() -> None:
    """Nobody is held in a queue, and no person hears of it."""
    call = Line().ring(is_slow=True).key(FOUR, WRONG)
    assert call.turn.reply.then == "hang-up"
    assert "We will call the chair's number on file." in call.said
    assert call.events == (SignInFailed(FOUR, "wrong-pin"), CallBackRequested(FOUR, "slow"))


@pytest.mark.parametrize(("on_file", "has_staff", "then"), [((), True, "hang-up"), ((FOUR,), False, "hang-up")])
def test_a_slow_caller_reaches_staff_only_when_known_and_staff_have_time(
    on_file: tuple[str, ...], has_staff: bool, then: str
) -> None:
    """Either alone is not enough."""
    line = Line()
    line.gate = Facts(sign_in="refused", refusal="wrong-pin", has_staff=has_staff)
    assert then == line.ring(on_file, is_slow=True).key(FOUR, WRONG).turn.reply.then


def test_a_known_slow_caller_reaches_staff_who_have_time() -> None:
    """Both together are."""
    line = Line()
    line.gate = Facts(sign_in="refused", refusal="wrong-pin", has_staff=True)
    call = line.ring((FOUR,), is_slow=True).key(FOUR, WRONG)
    assert call.events[-1] == PersonCalledFor("", "sign-in")


def test_a_slow_caller_with_the_right_pin_reports_like_anybody() -> None:
    """The lane ends where the chair begins."""
    call = Line().ring(is_slow=True).key(FOUR, PIN, *REPORT)
    assert "Your confirmation number is" in call.said


def test_no_slow_call_hears_more_than_30_seconds() -> None:
    """Every way through the lane, as far as its end or the PIN's acceptance, in the line's longest greeting."""
    answers = (FOUR, UNKNOWN, "00018", "12", "12,", "-", "#", "*", "*0", "*1", "*2", "9", "1", "1" * 40, WRONG, "1,")
    ways: list[tuple[str, ...]] = [()]
    longest = 0.0
    while ways:
        keys = ways.pop()
        call = Line(BOTH).ring((FOUR,), is_slow=True)
        heard = _heard(call, keys)
        longest = max(longest, heard)
        assert len(keys) <= 4
        ways += [] if call.session.ended else [(*keys, entry) for entry in answers]
    assert 20 < longest <= 30


def _heard(call: Call, keys: tuple[str, ...]) -> float:
    """Seconds of speech when `keys` are pressed one after the other."""
    heard = seconds(call.said)
    for entry in keys:
        heard += seconds(call.key(entry).said)
    return heard


def test_past_the_limit_the_words_are_the_same_and_the_chair_is_called() -> None:
    """Nobody learns that PINs are judged no more; the number on file gets its chance to report."""
    line, other = Line(), Line().ring().key(FOUR, WRONG)
    line.gate = Facts(sign_in="refused", refusal="limit")
    call = line.ring().key(FOUR, PIN)
    assert other.turn.reply == call.turn.reply
    assert call.events == (SignInFailed(FOUR, "limit"), CallBackRequested(FOUR, "limit"))


def test_a_right_pin_in_doubt_gives_a_version_to_be_verified_in_the_same_words() -> None:
    """Taken, read back, numbered and closed as for anyone; the ledger knows that it waits for the chair's word."""
    line, sure = Line(), Line().ring().key(FOUR, PIN, *REPORT)
    line.doubts = {"is_doubtful": True}
    call = line.ring().key(FOUR, PIN, *REPORT)
    assert call.said == sure.said
    confirmed, wanted, requested = call.events[-3:]
    assert isinstance(confirmed, ReportConfirmed)
    assert (wanted, requested) == (
        VerificationWanted(FOUR, 1, "contested"),
        CallBackRequested(FOUR, "contested", 1),
    )
    assert line.standing(FOUR).unverified == {1}


def test_doubt_ends_with_the_sign_in_it_was_about() -> None:
    """The next precinct of the same call is judged by its own sign-in."""
    line = Line()
    line.doubts = {"is_doubtful": True}
    call = line.ring().key(FOUR, PIN, *REPORT, "1")
    line.doubts = {}
    call.key(TWO, PIN, *REPORT)
    assert [event.precinct for event in call.events if isinstance(event, ReportConfirmed)] == [FOUR, TWO]
    assert [event.precinct for event in call.events if isinstance(event, VerificationWanted)] == [FOUR]


def test_a_success_after_failures_elsewhere_tells_the_chair() -> None:
    """Once a sign-in, beside it."""
    line = Line()
    line.doubts = {"failed_elsewhere": True}
    call = line.ring().key(FOUR, PIN)
    assert call.events == (ChairSignedIn(FOUR), NoticeWanted(FOUR, "failures-elsewhere"))
