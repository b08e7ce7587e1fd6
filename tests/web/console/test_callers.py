"""Callers: a number looked up, blocked, let in again, marked; and shown whole for a reason that stays."""

from __future__ import annotations

import pytest
from flask import Flask

from hotline.events.decisions import NumberRevealed
from hotline.services.line import Line
from hotline.services.screening import outlook
from tests.store.held import HeldClock
from tests.web.console.desks import Desk, seated
from tests.web.console.ringing import CHAIR, CODE, GUESSER, ring


@pytest.fixture
def ana(app: Flask, line: Line) -> Desk:
    return seated(app, line, "ana", "agent")


def test_number_is_looked_up_as_people_write_it(line: Line, ana: Desk) -> None:
    """What it did, how its next call is met, its calls; masked but where it was typed."""
    line.roster.register_number(GUESSER, CODE, "chair")
    ring(line, "1")
    shown = ana.post("/staff/callers/number", number="(515) 555-0142").text
    assert "Caller …0142" in shown
    assert "3 × wrong-pin" in shown
    assert f'href="/staff/reports/{CODE}"' in shown
    assert f'href="/staff/calls/CA{"1" * 32}"' in shown
    assert shown.count(GUESSER) == 1


@pytest.mark.parametrize("number", ["", "nonsense", "12", "<script>alert(1)</script>"])
def test_what_is_no_number_is_told(ana: Desk, number: str) -> None:
    """With what was typed, as text."""
    for path in ("number", "act"):
        answer = ana.post(f"/staff/callers/{path}", number=number, why="so", act="block", minutes=5)
        assert (answer.status_code, "<script>alert" in answer.text) == (422, False)


def test_number_is_blocked_listed_and_let_in_again(line: Line, ana: Desk) -> None:
    """From the list by anybody who works, with a reason; in force at the next ring."""
    assert ana.post("/staff/callers/act", number=GUESSER, act="block", minutes=30, why="floods us").status_code == 200
    shown = ana.get("/staff/callers").text
    assert "floods us" in shown
    assert GUESSER not in shown
    (block,) = line.blocks.standing()
    assert outlook(line, GUESSER).verdict.decision == "reject"
    assert ana.post("/staff/callers/lift", key=block.key, why=" ").status_code == 422
    assert ana.post("/staff/callers/lift", key=block.key, why="an appeal").status_code == 303
    assert (line.blocks.standing(), outlook(line, GUESSER).verdict.decision) == ([], "admit")
    assert ana.post("/staff/callers/lift", key=block.key, why="again").status_code == 409
    assert ana.post("/staff/callers/lift", why="nothing").status_code == 409


def test_block_ends_by_itself(line: Line, ana: Desk, clock: HeldClock) -> None:
    """Nothing has to be done."""
    ana.post("/staff/callers/act", number=GUESSER, act="block", minutes=30, why="floods us")
    clock.move(minutes=30)
    assert "floods us" not in ana.get("/staff/callers").text


def test_number_is_marked_and_the_mark_taken_back(line: Line, ana: Desk) -> None:
    """It counts for the next ring."""
    ana.post("/staff/callers/act", number=GUESSER, act="abusive", why="shouted")
    assert outlook(line, GUESSER).verdict.score >= 100
    assert ana.post("/staff/callers/act", number=GUESSER, act="abusive", why="again").status_code == 403
    ana.post("/staff/callers/act", number=GUESSER, act="genuine", why="it was a chair")
    assert outlook(line, GUESSER).verdict.score < 30


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"act": "block", "minutes": "30", "why": ""}, "Say why"),
        ({"act": "block", "minutes": "9999", "why": "so"}, "longer is not one person"),
        ({"act": "block", "minutes": "", "why": "so"}, "for how many minutes"),
        ({"act": "", "why": "so"}, "Choose what to do"),
    ],
)
def test_act_that_cannot_be_is_told(line: Line, ana: Desk, fields: dict[str, str], said: str) -> None:
    """On the number's page, and nothing is done."""
    answer = ana.post("/staff/callers/act", number=GUESSER, **fields)
    assert (answer.status_code, said in answer.text, line.blocks.standing()) == (422, True, [])


def test_whole_number_is_shown_for_a_reason_that_stays(line: Line, ana: Desk) -> None:
    """Once, on the page it was asked for; the record has who and why, and no number."""
    sid = ring(line, "1", CHAIR)
    path = f"/staff/calls/{sid}"
    assert ana.post(f"{path}/reveal", why=" ").status_code == 422
    assert CHAIR in ana.post(f"{path}/reveal", why="to call the chair by hand").text
    assert CHAIR not in ana.get(path).text
    (told,) = [each.event for each in line.ledger.events() if isinstance(each.event, NumberRevealed)]
    assert (told.caller, told.why, told.by) == ("…0101", "to call the chair by hand", "ana")
    assert ana.post(f"/staff/calls/{ring(line, '2', 'anonymous')}/reveal", why="so").status_code == 404


def test_text_of_people_is_text(line: Line, ana: Desk) -> None:
    """A reason that is a script, wherever the block is told."""
    script = '"><script>alert(1)</script>'
    ana.post("/staff/callers/act", number=GUESSER, act="block", minutes=30, why=script)
    for shown in (ana.get("/staff/callers").text, ana.post("/staff/callers/number", number=GUESSER).text):
        assert "<script>alert" not in shown
        assert "&lt;script&gt;" in shown
