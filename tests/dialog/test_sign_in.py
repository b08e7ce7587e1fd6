"""Code and PIN: who gets in, what a wrong one sounds like, and the way to a person before the PIN."""

import json

import pytest

from hotline.dialog import machine
from hotline.dialog.facts import ChallengeWanted, Facts, Heard, PinCheck
from hotline.dialog.script import Script
from hotline.events.kinds import (
    ChairSignedIn,
    ChallengeFailed,
    ChallengePassed,
    PersonCalledFor,
    SignInFailed,
)
from tests.dialog.calling import CONTEST, FOUR, PIN, SCRIPT, TWO, UNKNOWN, Line

WRONG = "11111111"


def test_a_wrong_code_and_a_wrong_pin_sound_the_same_and_take_the_same_steps() -> None:
    """Nobody learns from the line which codes exist."""
    known, unknown = Line().ring().key(FOUR), Line().ring().key(UNKNOWN)
    assert known.prompts == unknown.prompts
    assert known.key(WRONG).turn.reply == unknown.key(WRONG).turn.reply
    assert "That code and PIN do not match." in known.said
    assert (SignInFailed(FOUR, "wrong-pin"),) == known.events
    assert (SignInFailed(UNKNOWN, "unknown-code"),) == unknown.events


def test_three_wrong_sign_ins_end_a_strangers_call_with_the_way_back() -> None:
    """Nothing says which rule was met; the packet says whom to call."""
    call = Line().ring().key(FOUR, WRONG, UNKNOWN, PIN, FOUR)
    assert call.key(WRONG).turn.reply.then == "hang-up"
    assert "packet" in call.said
    assert len([event for event in call.events if isinstance(event, SignInFailed)]) == 3


def test_three_wrong_sign_ins_bring_a_number_on_file_to_a_person() -> None:
    """A chair with the wrong packet needs somebody to talk to."""
    call = Line().ring(on_file=(FOUR,)).key(*(FOUR, WRONG) * 3)
    assert call.turn.reply.then == "person"
    assert call.events[-1] == PersonCalledFor("", "sign-in")


def test_a_success_in_between_does_not_buy_more_guesses() -> None:
    """Three wrong ones in a call are three, whatever stood between them."""
    call = Line().ring().key(FOUR, WRONG, FOUR, WRONG, TWO, PIN, "2", FOUR)
    assert call.key(WRONG).turn.reply.then == "person"


@pytest.mark.parametrize(("on_file", "then"), [((), "hang-up"), ((FOUR,), "person")])
def test_used_up_tries_end_the_first_sign_in_too(on_file: tuple[str, ...], then: str) -> None:
    """The gate may say so whatever this call did, and gives no reason."""
    call = Line().ring(on_file).key(FOUR)
    turn = machine.step(call.session, Heard(PIN), Facts(sign_in="person"), SCRIPT)
    assert then == turn.reply.then
    assert turn.events[0] == SignInFailed(FOUR, "limit")


def test_a_pin_is_nowhere_but_in_the_inquiry() -> None:
    """Not in the session, an event or a word."""
    call = Line().ring().key(FOUR)
    assert PinCheck(FOUR, PIN) == machine.inquire(call.session, Heard(PIN))
    call.key(PIN)
    everything = json.dumps(call.session.to_json()) + repr(call.events) + call.said
    assert PIN not in everything
    assert (ChairSignedIn(FOUR),) == call.events


def test_a_stranger_who_asks_for_a_person_passes_the_challenge_first() -> None:
    """Three digits as spoken, then the person."""
    call = Line().ring()
    assert ChallengeWanted() == machine.inquire(call.session, Heard("*0"))
    assert call.key("*0").state == "challenge"
    assert "1 1 1" in call.said
    assert call.key("111").turn.reply.then == "person"
    assert (ChallengePassed(), PersonCalledFor("", "star")) == call.events


def test_a_stranger_who_misses_the_challenge_twice_gets_no_person() -> None:
    """A script that cannot listen does not reach anybody."""
    call = Line().ring().key(FOUR, "*0", "999")
    assert "1 1 2" in call.said
    assert call.key("111").turn.reply.then == "hang-up"
    assert call.events[-1] == ChallengeFailed()


def test_a_stranger_may_think_better_of_asking_for_a_person() -> None:
    """Star 2 goes back to the question where the person was asked for."""
    assert Line().ring().key(FOUR, "*0", "*2").state == "pin"


@pytest.mark.parametrize("before", [(), (FOUR,)])
def test_a_number_on_file_gets_its_person_at_once(before: tuple[str, ...]) -> None:
    """It has nothing to prove to be helped."""
    call = Line().ring(on_file=(FOUR, TWO)).key(*before)
    assert machine.inquire(call.session, Heard("*0")) is None
    assert call.key("*0").turn.reply.then == "person"


def test_who_passed_the_screening_challenge_is_not_challenged_again() -> None:
    """Once in a call is enough."""
    call = Line().ring(challenge="471").key("471", "*0")
    assert call.turn.reply.then == "person"


def test_who_signed_in_before_is_not_challenged_at_the_next_precinct() -> None:
    """A county chair between two precincts is a chair."""
    call = Line().ring().report().key("0", "1", "1", "1", "*0")
    assert call.turn.reply.then == "person"
    assert call.events[-1] == PersonCalledFor("", "star")


def test_one_language_offers_no_other() -> None:
    """Without Spanish prompts nothing is offered in Spanish, and 9 is just asked again."""
    call = Line().ring()
    assert "espa" not in call.said
    assert call.key("9").state == "code"
    assert call.session.strikes == 0
    assert call.turn.reply.language == "en"


def test_nine_changes_to_the_other_language_and_back() -> None:
    """Every reply from then on is in that language."""
    call = Line(Script(CONTEST, ("en", "es"))).ring()
    assert "oprima nueve" in call.said
    assert call.key("9").turn.reply.language == "es"
    assert call.key(FOUR, PIN).turn.reply.language == "es"
    assert Line(Script(CONTEST, ("en", "es"))).ring().key("9", "9").turn.reply.language == "en"


def test_the_code_is_echoed_digit_by_digit_and_a_pin_never() -> None:
    """Hearing the wrong code is noticed before the PIN is keyed."""
    call = Line().ring().key(FOUR)
    assert call.said.startswith("0 0 0 1 3.")
    assert not any(digit in call.key(PIN).said for digit in "0")
