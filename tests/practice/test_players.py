"""Entries of `--keys` press what the table says, and a recorded call plays again."""

import tomllib

import pytest

from hotline.practice.interpreter import CallLog, Entry
from hotline.practice.players import player, pressed
from hotline.practice.recorder import as_call_file


@pytest.mark.parametrize(
    ("entry", "keys"),
    [("42", "42#"), ("42#", "42#"), ("42,", "42"), ("#", "#"), ("*1", "*1#"), ("*#", "*#"), ("-", ""), ("!", None)],
)
def test_an_entry(entry, keys):
    """The pound is added unless a comma says otherwise."""
    assert keys == pressed(entry)


@pytest.mark.parametrize("entry", ["", "twelve", "4 2", ",", "--", "٣"])
def test_an_entry_that_cannot_be_pressed(entry):
    """It is named before the call begins."""
    with pytest.raises(ValueError, match="cannot be pressed"):
        player(["1", entry])


def test_a_player_hangs_up_at_the_end():
    """After the last entry the next question finds the phone on the hook."""
    brain = player(["1", "-"])
    assert ["1#", "", None, None] == [brain("…") for _ in range(4)]


def entries(*pairs):
    return tuple(Entry(kind, text, 0.0) for kind, text in pairs)


def test_a_recorded_call_holds_no_secret():
    """The PIN and the correction code become names for what is on the packet; entries keep their form."""
    log = CallLog(
        "caller hung up",
        60.0,
        5,
        (),
        entries(
            ("heard", 'Enter your "code".'),
            ("keyed", "00018#"),
            ("heard", "Enter your PIN."),
            ("keyed", "12345678#"),
            ("heard", "Enter your correction code."),
            ("keyed", "4321#"),
            ("heard", "How many?"),
            ("keyed", "42"),
            ("keyed", ""),
            ("ended", "caller hung up"),
        ),
    )
    written = as_call_file(log, "+15155550100")
    table = tomllib.loads(written)
    assert {"a": "+15155550100"} == table["phones"]
    assert ["00018#", "{pin}", "{correction}", "42,", "-", "!"] == [turn["keys"] for turn in table["turn"]]
    assert ['Enter your "code".'] == table["turn"][0]["heard"]
    assert "12345678" not in written


def test_a_call_the_line_ended_has_no_last_entry():
    """The last turn says only what was heard."""
    log = CallLog("line hung up", 1.0, 1, (), entries(("heard", "Goodbye."), ("ended", "line hung up")))
    assert [{"heard": ["Goodbye."]}] == tomllib.loads(as_call_file(log, "anonymous"))["turn"]
