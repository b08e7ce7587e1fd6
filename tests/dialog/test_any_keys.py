"""Whatever is pressed, by hand or by dice, no call breaks: it speaks, it ends, and its draft is what its events say."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from hotline.dialog import machine
from hotline.dialog.draft import Draft
from hotline.dialog.facts import Facts, Heard
from hotline.dialog.machine import TURNS
from hotline.dialog.script import next_question
from hotline.dialog.session import Session
from tests.dialog.calling import CORRECTION, FOUR, ONE, PIN, SCRIPT, SITE, TWO, UNKNOWN, Call, Line

STARS = ("*", "*0", "*1", "*2", "*2", "*3", "*4", "**", "*12")
STRAY = ("#", "#", "-", "", ",", "12*", "a", "١٢", "1" * 40, "1#2", "##", "0000", "12345678")
CODES = (FOUR, TWO, ONE, SITE, UNKNOWN, "00018", PIN, PIN, PIN, CORRECTION)
COUNTS = ("0", "1", "2", "3", "4", "5", "9", "12", "30", "007", "40,", "5,", "1,")
KEYS = st.sampled_from(STARS + STRAY + CODES) | st.sampled_from(COUNTS) | st.sampled_from(("1", "2", "3", "1", "1"))


def numbers(draft: Draft) -> Draft:
    """A draft without what steers its questions."""
    return replace(draft, checked=(), again=(), is_entering=False)


def holds(call: Call) -> None:
    """What must be true after any answer."""
    reply, session = call.turn.reply, call.session
    assert call.said.strip()
    assert (reply.listen is None) == (reply.then != "listen")
    assert session.ended == (reply.then != "listen")
    if session.state == "readback":
        assert next_question(call.line.script, session.site, session.report) == "readback"
    if session.is_opened:
        assert numbers(session.report) == numbers(call.line.folded(session.site))


def play(call: Call, keys: list[str]) -> None:
    for entry in keys:
        call.key(entry)
        holds(call)
        if call.session.ended:
            return


@settings(max_examples=150, deadline=None)
@given(st.lists(KEYS, max_size=60), st.sampled_from([(), (FOUR,), (FOUR, TWO)]), st.sampled_from([None, "471"]))
def test_a_call_of_random_keys_never_breaks(keys: list[str], on_file: tuple[str, ...], challenge: str | None) -> None:
    """From the first ring."""
    play(Line().ring(on_file, challenge), keys)


@settings(max_examples=250, deadline=None)
@given(st.lists(KEYS, max_size=120), st.sampled_from([FOUR, TWO, ONE, SITE]), st.integers(0, 3))
def test_a_report_of_random_keys_never_breaks(keys: list[str], precinct: str, calls: int) -> None:
    """From inside a report, hung up now and then, on one precinct: what was given is there the next time."""
    line = Line()
    for part in range(calls + 1):
        call = line.ring().key(precinct, PIN)
        holds(call)
        play(call, ["1", *keys[part * 30 :]])


@settings(max_examples=40, deadline=None)
@given(st.lists(KEYS, min_size=1, max_size=4), st.sampled_from([(), (FOUR, PIN, "1"), (FOUR, PIN, "1", "9", "9")]))
def test_no_call_loops_for_ever(loop: list[str], before: tuple[str, ...]) -> None:
    """The same keys over and over end in words, within the cap."""
    call = Line().ring().key(*before)
    turns = len(before)
    while not call.session.ended:
        call.key(loop[turns % len(loop)])
        turns += 1
        assert turns <= TURNS + 40


@settings(max_examples=60, deadline=None)
@given(st.lists(KEYS, max_size=40), st.sampled_from(["-", "#", "1", "*0", "20202020", "4711", "x"]))
def test_a_step_without_its_facts_does_not_break_either(keys: list[str], last: str) -> None:
    """If the keeper of the facts fails to answer, the caller is asked again or goes to a person."""
    call = Line().ring()
    play(call, [FOUR, PIN, "1", *keys])
    turn = machine.step(call.session, Heard(last), Facts(), SCRIPT)
    assert turn.reply.words


@settings(max_examples=60, deadline=None)
@given(st.lists(KEYS, max_size=60))
def test_the_question_can_be_asked_again_at_any_time(keys: list[str]) -> None:
    """A turn out of order gets the current question, and changes nothing."""
    call = Line().ring().key(FOUR, PIN)
    play(call, keys)
    before = call.session
    reply = machine.current(before, SCRIPT)
    assert reply.words
    assert reply.then == call.turn.reply.then
    assert before == Session.from_json(before.to_json())
    assert machine.not_recorded(before, SCRIPT).then == "person"
