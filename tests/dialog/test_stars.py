"""The star commands, each at every kind of question."""

import pytest

from hotline.dialog import machine
from tests.dialog.calling import CORRECTION, FOUR, PIN, SCRIPT, Call, Line

COUNTED = (FOUR, PIN, "1", "100", "40")
CHECKED = (*COUNTED, "30", "20", "10")
SPLIT = (*CHECKED, "1", "40", "30", "30", "0", "1")
READ = (*SPLIT, "1")
AGAIN = (*READ, "1", "1", FOUR, PIN)
QUESTIONS = {
    "code": (),
    "pin": (FOUR,),
    "precinct": (FOUR, PIN),
    "headcount": (FOUR, PIN, "1"),
    "headcount.zero": (FOUR, PIN, "1", "0"),
    "first.Sanders": COUNTED,
    "first.check": CHECKED,
    "final.Biden": (*CHECKED, "1"),
    "final.check": SPLIT[:-1],
    "delegates": SPLIT,
    "delegates.Sanders": (*SPLIT, "2", "2"),
    "delegates.check": (*SPLIT, "2", "*3"),
    "readback": READ,
    "change": (*READ, "2"),
    "change.first": (*READ, "2", "2"),
    "correction": (*AGAIN, "2"),
    "done": (*READ, "1"),
}
BACK = {
    "code": "code",
    "pin": "code",
    "precinct": "precinct",
    "headcount": "precinct",
    "headcount.zero": "headcount",
    "first.Sanders": "first.Biden",
    "first.check": "first.Uncommitted",
    "final.Biden": "first.check",
    "final.check": "final.Uncommitted",
    "delegates": "final.check",
    "delegates.Sanders": "delegates.Biden",
    "delegates.check": "delegates.Biden",
    "readback": "delegates",
    "change": "readback",
    "change.first": "change",
    "correction": "precinct",
    "done": "done",
}


def at(question: str) -> Call:
    call = Line().ring().key(*QUESTIONS[question])
    assert question == call.state
    return call


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("star", ["*1", "*1,"])
def test_star_one_repeats_the_whole_question(question: str, star: str) -> None:
    """With or without its pound; nothing happens by it."""
    call = at(question)
    before, asked = call.events, machine.current(call.session, SCRIPT)
    assert question == call.key(star).state
    assert asked == call.turn.reply
    assert before == call.events
    assert call.session.strikes == 0


@pytest.mark.parametrize("question", QUESTIONS)
def test_star_two_goes_back_one_question(question: str) -> None:
    """Not past the precinct, and at the end not at all."""
    assert BACK[question] == at(question).key("*2").state


@pytest.mark.parametrize("question", QUESTIONS)
def test_star_three_fills_tallies_and_delegates_and_repeats_elsewhere(question: str) -> None:
    """Zero for this group and every group of the section not yet answered."""
    section, _, group = question.partition(".")
    fills = section in ("first", "final", "delegates") and group not in ("", "check")
    call = at(question)
    before = call.events
    call.key("*3")
    assert call.state == (f"{section}.check" if fills else question)
    assert fills == (len(call.events) > len(before))


@pytest.mark.parametrize("question", QUESTIONS)
def test_star_zero_leads_to_a_person(question: str) -> None:
    """Before the PIN through the challenge, after it at once."""
    call = at(question).key("*0")
    assert call.state == ("challenge" if question in ("code", "pin") else "person")


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_star_alone_lists_the_commands(question: str) -> None:
    """And asks again."""
    call = at(question).key("*")
    assert question == call.state
    assert call.prompts[0] == "commands"
    assert len(call.prompts) > 1


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("keys", ["*4", "**", "*11", "1*", "*1*", "2*3"])
def test_a_star_out_of_place_is_nonsense(question: str, keys: str) -> None:
    """Asked again, with a strike; nothing happens by it."""
    call = at(question)
    before = call.events
    assert question == call.key(keys).state
    assert call.session.strikes == 1
    assert before == call.events


def test_star_two_leaves_a_correction_where_it_was() -> None:
    """Back from the change to the precinct, not to a code already given; on again without it."""
    call = Line().ring().key(*AGAIN, "2", CORRECTION, "*2")
    assert call.state == "precinct"
    assert call.key("1").state == "readback"
