"""The carrier's own account of Gather, row by row: attributes, what is pressed, what is submitted."""

import pytest

from hotline.practice.gather import Press, collect

OURS = {"finishOnKey": "#", "timeout": "3", "actionOnEmptyResult": "true"}


@pytest.mark.parametrize(
    ("attributes", "pressed", "digits", "finished_on", "left_over"),
    [
        pytest.param(OURS, "42#", "42", "#", "", id="the finish key ends the answer and is not part of it"),
        pytest.param(OURS, "42", "42", "", "", id="time ends the answer: what was keyed is submitted"),
        pytest.param(OURS, "", "", "", "", id="nothing pressed"),
        pytest.param(OURS, "#", "", "#", "", id="the finish key alone"),
        pytest.param(OURS, "*1#", "*1", "#", "", id="a star is a key like any other"),
        pytest.param(OURS, "1#1#", "1", "#", "1#", id="keys after the answer belong to the next question"),
        pytest.param({}, "42#", "42", "#", "", id="without finishOnKey the pound ends the answer"),
        pytest.param({"finishOnKey": ""}, "4#2", "4#2", "", "", id="an empty finishOnKey makes the pound a key"),
        pytest.param({"finishOnKey": "*#"}, "4*2", "4", "*", "2", id="any key of the set ends the answer"),
        pytest.param({"numDigits": "2"}, "42#", "42", "", "#", id="numDigits leaves the pound to the next question"),
    ],
)
def test_what_is_submitted(attributes, pressed, digits, finished_on, left_over):
    """Digits, FinishedOnKey and the keys left over are what the carrier's table says."""
    got = collect(attributes, 2.0, Press(pressed))
    assert (digits, finished_on, left_over) == (got.digits, got.finished_on, got.left_over)


@pytest.mark.parametrize(
    ("attributes", "pressed", "submits"),
    [
        (OURS, "", True),
        (OURS, "#", True),
        ({}, "", False),
        ({}, "#", False),
        ({"actionOnEmptyResult": "false"}, "#", False),
        ({}, "4", True),
    ],
)
def test_an_empty_result_is_submitted_only_when_asked_for(attributes, pressed, submits):
    """`actionOnEmptyResult` decides whether silence and a bare pound reach the line."""
    assert submits == collect(attributes, 2.0, Press(pressed)).submits


def test_a_slow_finger_is_cut_short():
    """The timeout begins again at every key; a longer gap submits the keys so far."""
    got = collect(OURS, 2.0, Press("42#", gap=3.5))
    assert ("4", "", "2#") == (got.digits, got.finished_on, got.left_over)
    assert "42" == collect(OURS, 2.0, Press("42#", gap=2.9)).digits


def test_the_first_key_has_the_pause_and_the_timeout():
    """Words of 2 s with a 12 s pause leave 15 s after the words before the question counts as unanswered."""
    assert "7" == collect(OURS, 14.0, Press("7#", at=16.9)).digits
    late = collect(OURS, 14.0, Press("7#", at=17.1))
    assert ("", "", 17.0, "7#") == (late.digits, late.finished_on, late.seconds, late.left_over)


def test_a_key_stops_the_words():
    """Keys pressed during the words are heard, and the words end there."""
    got = collect(OURS, 30.0, Press("12#", at=1.5, gap=0.5))
    assert ("12", 1.5, 2.5) == (got.digits, got.heard_for, got.seconds)
