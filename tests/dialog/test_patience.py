"""Silence, nonsense and the stray pound: how long the line bears with whom, and where it sends them."""

import pytest

from hotline.dialog import machine
from hotline.dialog.facts import Heard
from hotline.dialog.machine import PATIENCE, POUNDS, TURNS
from hotline.events.kinds import ChallengeFailed, PersonCalledFor
from hotline.events.verification import CallBackRequested
from tests.dialog.calling import FOUR, PIN, SCRIPT, Line

NOTHING = ("-", "*9", "12#4", "1" * 40, "abc")
AT_QUESTIONS = [
    ("1",),
    ("1", "100"),
    ("1", "100", "*3"),
    ("1", "100", "*3", "1", "*3", "1"),
    ("1", "0", "1"),
    ("1", "0", "1", "2"),
]


@pytest.mark.parametrize("code", [FOUR, "99992"])
def test_phone_that_falls_silent_after_a_code_is_helped_by_a_call_back(code: str) -> None:
    """To the number on file, never to the caller; of a code that is no precinct's the same is heard."""
    call = Line().ring().key(code, "-", "-")
    assert call.turn.reply.then == "hang-up"
    assert "I heard no keys. We will call the chair's number on file." in call.said
    assert (CallBackRequested(code, "silence"),) == call.events


def test_slow_caller_who_falls_silent_sends_nobody_a_call() -> None:
    """Whoever has misbehaved could have chairs rung up all night."""
    call = Line().ring(is_slow=True).key(FOUR, "-", "-")
    assert (call.turn.reply.then, call.events) == ("hang-up", ())


@pytest.mark.parametrize(
    ("keys", "before"), [*((keys, ()) for keys in NOTHING), *((keys, (FOUR,)) for keys in NOTHING[1:])]
)
def test_a_stranger_is_asked_twice_and_then_bidden_farewell(keys: str, before: tuple[str, ...]) -> None:
    """Before the PIN nobody is held on the line."""
    call = Line().ring().key(*before)
    assert call.key(keys).turn.reply.then == "listen"
    assert call.key(keys).turn.reply.then == "hang-up"
    assert "packet" in call.said
    assert call.events == ()


@pytest.mark.parametrize("on_file", [(), (FOUR,)])
def test_call_that_ends_unheard_keeps_its_strikes(on_file: tuple[str, ...]) -> None:
    """The screening reads them off the session: dead air. An answer in between forgets them, the end does not."""
    assert 2 == Line().ring(on_file=on_file).key("-", "-").session.strikes
    assert 0 == Line().ring(on_file=on_file).key("-", FOUR).session.strikes


@pytest.mark.parametrize(("keys", "why"), [("-", "silence"), ("1" * 40, "nonsense")])
def test_a_number_on_file_goes_to_a_person_instead(keys: str, why: str) -> None:
    """Some phones send no keys we can hear: that is their way in."""
    call = Line().ring(on_file=(FOUR,)).key(keys, keys)
    assert call.turn.reply.then == "person"
    assert (PersonCalledFor("", why),) == call.events


@pytest.mark.parametrize("before", AT_QUESTIONS)
@pytest.mark.parametrize(("keys", "why"), [("-", "silence"), ("1" * 40, "nonsense")])
def test_a_chair_is_asked_three_times_and_then_goes_to_a_person(before: tuple[str, ...], keys: str, why: str) -> None:
    """After the PIN, at any question; what was given is kept."""
    call = Line().ring().key(FOUR, PIN, *before)
    state = call.state
    assert state == call.key(keys).state
    assert state == call.key(keys).state
    assert call.key(keys).turn.reply.then == "person"
    assert call.events[-1] == PersonCalledFor(FOUR, why)


@pytest.mark.parametrize("before", [(), (FOUR,), *((FOUR, PIN, *at) for at in AT_QUESTIONS)])
def test_a_bare_pound_is_never_a_strike(before: tuple[str, ...]) -> None:
    """Ten stray pounds, then two silences: only the silences count."""
    call = Line().ring().key(*before)
    state = call.state
    call.key(*["#"] * POUNDS)
    assert state == call.state
    assert call.session.strikes == 0


def test_more_pounds_than_a_finger_presses_are_silence() -> None:
    """A carrier that does not tell the two apart must not keep a dead line open for ever."""
    call = Line().ring().key(*["#"] * POUNDS)
    assert call.key("#").session.strikes == 1
    assert call.key("#").turn.reply.then == "hang-up"


def test_strikes_are_forgotten_on_each_accepted_answer() -> None:
    """Two slips at one question and two at the next are no reason for a person."""
    call = Line().ring().key(FOUR, PIN, "1", "-", "-", "100", "-", "-", "40")
    assert call.state == "first.Sanders"
    assert call.session.strikes == 0


@pytest.mark.parametrize("before", [(), (FOUR,), *((FOUR, PIN, *at) for at in AT_QUESTIONS)])
def test_what_is_repeated_is_no_longer_than_what_was_asked(before: tuple[str, ...]) -> None:
    """The question itself comes back shorter, or as short as it was."""
    call = Line().ring().key(*before)
    full = machine.current(call.session, SCRIPT)
    assert len(call.key("#").turn.reply.words) <= len(full.words)


@pytest.mark.parametrize("keys", ["1234,", "0,", "1234567,"])
def test_digits_cut_short_by_time_are_no_strike(keys: str) -> None:
    """A code or PIN of a slow hand is asked again."""
    call = Line().ring().key("0001,", "0001,", "0001,", FOUR, keys, keys, keys)
    assert call.state == "pin"
    assert "cut short" in call.said
    assert call.session.strikes == 0


def test_a_wrong_check_digit_is_no_strike() -> None:
    """A typo is told at once, and no PIN is asked for it."""
    call = Line().ring().key("00018", "00018", "00018")
    assert call.state == "code"
    assert call.session.strikes == 0
    assert call.events == ()


def test_a_count_ended_by_time_is_confirmed_first() -> None:
    """Half a number must not become a tally: it counts only after the pound, or a new number."""
    call = Line().ring().report().key("100,")
    assert "I heard 100. Pound if right" in call.said
    assert not any(type(event).__name__ == "HeadcountGiven" for event in call.events)
    assert call.key("-").session.strikes == 1
    assert "I heard 100" in call.said
    assert call.key("#").session.report.headcount == 100


def test_a_caller_without_progress_goes_the_way_of_silence() -> None:
    """Repeating for ever is no answer, before the PIN or after it."""
    stranger = Line().ring().key(*["*1"] * (PATIENCE + 1))
    assert stranger.turn.reply.then == "hang-up"
    chair = Line().ring().report().key(*["*1"] * (PATIENCE + 1))
    assert chair.turn.reply.then == "person"


def test_codes_without_a_pin_are_no_progress() -> None:
    """Code, back, code, back: every answer is accepted, and still the call ends."""
    call = Line().ring()
    for _ in range(PATIENCE):
        call.key(*([FOUR] if call.state == "code" else ["*2"]))
    assert call.key("*1").turn.reply.then == "hang-up"


def test_no_call_is_longer_than_the_cap() -> None:
    """Hearing the report again and again is progress of a kind, and ends all the same."""
    call = Line().ring().report().key("0", "1", *["3"] * TURNS)
    assert call.turn.reply.then == "person"


def test_silence_after_the_confirmation_number_ends_the_call() -> None:
    """The chair has put the phone down on the table; nobody need be called."""
    call = Line().ring().report().key("0", "1", "1", "-")
    assert call.turn.reply.then == "hang-up"
    assert not any(isinstance(event, PersonCalledFor) for event in call.events)


def test_a_call_that_ended_stays_ended() -> None:
    """Late keys get the last words once more and change nothing but the count of turns."""
    call = Line().ring().key("-", "-")
    before = call.session
    turn = machine.step(before, Heard("1"), call.line.facts(before, None), SCRIPT)
    assert turn.events == ()
    assert turn.session.state == "over"
    assert turn.reply.then == "hang-up"
    assert machine.inquire(before, Heard("*0")) is None


@pytest.mark.parametrize("keys", ["-", "000", "*9", "1" * 40])
def test_a_challenge_missed_twice_ends_the_call(keys: str) -> None:
    """Fresh digits for the second try, the same ones never again."""
    call = Line().ring(challenge="471")
    assert "4 7 1" in call.said
    call.key(keys)
    assert "1 1 1" in call.said
    assert call.key(keys).turn.reply.then == "hang-up"
    assert (ChallengeFailed(),) == call.events


def test_a_stray_pound_or_a_repeat_at_the_challenge_is_no_try() -> None:
    """The same digits are spoken again."""
    call = Line().ring(challenge="471").key("#", "*1", "*2", "*0", "*")
    assert "4 7 1" in call.said
    assert call.key("471").state == "code"
