"""The line calls a number on file: what a chair, a stranger and a machine hear, and what their keys do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotline.dialog import machine
from hotline.dialog.called_back import CalledBack
from hotline.dialog.facts import CorrectionCheck, Facts, Heard
from hotline.events.kinds import ChairSignedIn, PersonCalledFor, ReportConfirmed
from hotline.events.verification import ReportDisputed, ReportVerified
from tests.dialog.calling import CORRECTION, FOUR, PIN, Call, Line, in_words
from tests.dialog.test_any_keys import KEYS, holds
from tests.dialog.test_doubtful_callers import REPORT


@pytest.fixture
def line() -> Line:
    """A line with a version that waits for the chair's word."""
    line = Line()
    line.doubts = {"is_doubtful": True}
    line.ring().key(FOUR, PIN, *REPORT)
    line.doubts = {}
    return line


def called(line: Line) -> Call:
    current = line.standing(FOUR).current
    assert current is not None
    return line.call_back(CalledBack(FOUR, current[1]))


def test_a_machine_hears_nothing_but_who_calls_and_confirms_nothing(line: Line) -> None:
    """No number of the report, no person, no event."""
    call = called(line)
    heard = [call.said]
    while not call.session.ended:
        heard.append(call.key("-").said)
    assert "Fourth Ward" in heard[0]
    assert not any(figure in " ".join(heard) for figure in ("Headcount", "100", "40", "30"))
    assert call.turn.reply.then == "hang-up"
    assert call.events == ()
    assert line.standing(FOUR).unverified == {1}


def test_one_and_the_correction_code_verify_the_version(line: Line) -> None:
    """Read out first; what was in doubt counts from now on."""
    call = called(line).key("1")
    assert "Headcount 100." in call.said
    assert "First alignment: Biden 40, Sanders 30, Warren 20, Uncommitted 10." in call.said
    call.key("1")
    assert CorrectionCheck(FOUR, CORRECTION) == machine.inquire(call.session, Heard(CORRECTION))
    assert call.key(CORRECTION).turn.reply.then == "hang-up"
    assert call.events == (ReportVerified(FOUR, 1),)
    assert line.standing(FOUR).unverified == frozenset()


def test_two_keeps_it_held_and_tells_staff(line: Line) -> None:
    """The chair need not know a code to say no."""
    call = called(line).key("1", "2")
    assert call.events == (ReportDisputed(FOUR, 1),)
    assert line.standing(FOUR).unverified == {1}
    assert call.turn.reply.then == "hang-up"


def test_a_wrong_correction_code_verifies_nothing(line: Line) -> None:
    """After three a person is there to help: the number is on file."""
    call = called(line).key("1", "1", "0000", "0000")
    assert call.state == "back.code"
    assert call.key("0000").events == (PersonCalledFor("", "correction-code"),)
    assert line.standing(FOUR).unverified == {1}


def test_the_number_alone_verifies_nothing(line: Line) -> None:
    """Whoever holds the chair's telephone without the packet gets no further than the totals."""
    call = called(line).key("1", "1", "-", "-", "-")
    assert line.standing(FOUR).unverified == {1}
    assert call.turn.reply.then == "person"


def test_with_nothing_to_verify_the_chair_reports_on_the_spot() -> None:
    """A chair whose phone was refused needs one call-back, and the PIN all the same."""
    call = Line().call_back(CalledBack(FOUR)).key("1")
    assert call.state == "pin"
    assert call.key(PIN, *REPORT).state == "done"
    assert isinstance(call.events[0], ChairSignedIn)
    assert isinstance(call.events[-1], ReportConfirmed)


def test_a_machine_is_not_put_through_when_there_is_nothing_to_verify_either() -> None:
    """Nobody at the other end is nobody for staff."""
    call = Line().call_back(CalledBack(FOUR)).key("-", "-")
    assert call.turn.reply.then == "hang-up"
    assert call.events == ()


@settings(max_examples=150, deadline=None)
@given(st.lists(KEYS, max_size=50), st.booleans())
def test_a_call_back_of_random_keys_never_breaks(keys: list[str], has_report: bool) -> None:
    """It speaks, and it ends in words when nobody answers any more."""
    line = Line()
    line.doubts = {"is_doubtful": True}
    line.ring().key(FOUR, PIN, *REPORT)
    current = line.standing(FOUR).current
    assert current is not None
    call = line.call_back(CalledBack(FOUR, current[1] if has_report else None))
    _play(call, keys)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(KEYS, max_size=50),
    st.sampled_from([{"is_slow": True}, {"challenge": "471"}, {"is_slow": True, "on_file": (FOUR,)}]),
    st.sampled_from([None, Facts(sign_in="challenge", challenge="808"), Facts(sign_in="refused", refusal="limit")]),
)
def test_a_doubtful_call_of_random_keys_never_breaks(
    keys: list[str], opening: dict[str, bool], gate: Facts | None
) -> None:
    """Nor does one that was challenged, slowed or is judged no more."""
    line = Line()
    line.gate = gate
    line.doubts = {"is_doubtful": True, "failed_elsewhere": True}
    _play(line.ring(**opening), keys)


def _play(call: Call, keys: list[str]) -> None:
    for entry in (*keys, "-", "-", "-"):
        holds(call)
        if call.session.ended:
            break
        call.key(entry)
    assert call.session.ended
    assert in_words(call.turn.reply)
