"""Flagged calls: the riskiest first, shown with all that is known, judged by one, taken back by any."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from hotline.events.decisions import CallJudged, CallUnjudged
from hotline.events.guard import CallerMarked
from hotline.services.line import Line
from hotline.services.screening import outlook
from tests.store.held import HeldClock
from tests.web.console.desks import Desk, seated
from tests.web.console.ringing import CHAIR, CODE, GUESSER, WRONG, ring


@pytest.fixture
def ana(app: Flask, line: Line) -> Desk:
    return seated(app, line, "ana", "agent")


@pytest.fixture
def ben(app: Flask, line: Line) -> Desk:
    return seated(app, line, "ben", "supervisor")


def listed(desk: Desk, query: str = "") -> list[str]:
    """The calls on the page, by the digit of their id."""
    return re.findall(r'href="/staff/calls/CA([0-9a-f])', desk.get(f"/staff/calls{query}").text)


def word(line: Line, sid: str) -> str:
    found = line.calls.find(sid)
    assert found
    return found.word


def marks(line: Line) -> list[str]:
    """What the ledger has staff say of numbers, in order."""
    return [each.event.word for each in line.ledger.events() if isinstance(each.event, CallerMarked)]


def test_riskiest_waits_at_the_top(line: Line, ana: Desk, clock: HeldClock) -> None:
    """Of the same risk the oldest; a call nobody doubts is not there."""
    ring(line, "1")
    clock.move(minutes=2)
    ring(line, "2")
    ring(line, "3", CHAIR, "")
    (packet,) = line.pins.issue([CODE])
    ring(line, "4", "+15155550177", f"{CODE} {packet.pin}")
    shown = listed(ana)
    assert set(shown) == {"1", "2"}
    risks = [line.calls.find(f"CA{name * 32}") for name in shown]
    assert [each.risk for each in risks if each] == sorted((each.risk for each in risks if each), reverse=True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?reason=wrong-pin", {"1", "2"}),
        ("?reason=nothing", set()),
        (f"?precinct={CODE}", {"1", "2"}),
        ("?precinct=15338", set()),
        ("?number=(515) 555-0142", {"1"}),
        ("?number=%2B15155550999", set()),
        ("?number=nonsense", set()),
        ("?called=%2B15155550000", {"1", "2"}),
        ("?state=decided", set()),
        ("?page=99", set()),
        ("?page=-1", {"1", "2"}),
    ],
)
def test_filter_leaves_the_others_out(line: Line, ana: Desk, query: str, found: set[str]) -> None:
    """By reason, precinct tried, number, number called and state."""
    ring(line, "1")
    ring(line, "2", "+15155550143")
    assert set(listed(ana, query)) == found


def test_card_tells_the_call_and_no_secret(line: Line, ana: Desk) -> None:
    """What was keyed and heard, with times; PINs as dots, numbers by their last four."""
    sid, other = ring(line, "1"), ring(line, "2")
    shown = ana.get(f"/staff/calls/{sid}").text
    assert f"Code {CODE} and a PIN (••••••••) refused: wrong-pin" in shown
    assert "precinct code" in shown.partition("What the caller heard")[2]
    assert f'href="/staff/calls/{other}"' in shown
    assert "from …0142" in shown or "Call from …0142" in shown
    for secret in (WRONG, GUESSER, GUESSER[2:], "5155550142"):
        assert secret not in shown


def test_bad_word_needs_a_reason_and_counts_for_the_number(line: Line, ana: Desk) -> None:
    """From the next ring on; the call is decided, and says by whom."""
    sid = ring(line, "1")
    path = f"/staff/calls/{sid}"
    before = outlook(line, GUESSER).verdict.score
    assert ana.post(f"{path}/judge", word="prank").status_code == 422
    assert ana.post(f"{path}/judge", word="nothing", why="so").status_code == 422
    assert word(line, sid) == ""
    assert ana.post(f"{path}/judge", word="prank", why="sang a song").status_code == 303
    assert (word(line, sid), marks(line)) == ("prank", ["prank"])
    assert outlook(line, GUESSER).verdict.score >= before + 100
    assert (listed(ana), listed(ana, "?state=decided")) == ([], ["1"])
    assert "ana said: prank. sang a song" in ana.get(path).text


@pytest.mark.parametrize(("said", "marked"), [("genuine", ["genuine"]), ("typo", []), ("unsure", [])])
def test_other_words_need_none(line: Line, ana: Desk, said: str, marked: list[str]) -> None:
    """A typo counts for nobody; that a caller is genuine does."""
    sid = ring(line, "1")
    assert ana.post(f"/staff/calls/{sid}/judge", word=said).status_code == 303
    assert (word(line, sid), marks(line)) == (said, marked)


def test_word_is_taken_back_by_any_of_staff(line: Line, ana: Desk, ben: Desk) -> None:
    """The call waits again, the mark counts no more, and the ledger has both."""
    sid = ring(line, "1")
    before = outlook(line, GUESSER).verdict.score
    ana.post(f"/staff/calls/{sid}/judge", word="abusive", why="shouted")
    assert ben.post(f"/staff/calls/{sid}/undo", why=" ").status_code == 422
    assert ben.post(f"/staff/calls/{sid}/undo", why="it was a chair").status_code == 303
    assert (word(line, sid), listed(ana), marks(line)) == ("", ["1"], ["abusive", "genuine"])
    assert outlook(line, GUESSER).verdict.score <= before
    kinds = [type(each.event) for each in line.ledger.events() if each.call == sid]
    assert (kinds.count(CallJudged), kinds.count(CallUnjudged)) == (1, 1)
    assert ben.post(f"/staff/calls/{sid}/undo", why="again").status_code == 409


def test_second_word_on_the_same_call_is_refused(line: Line, ana: Desk, ben: Desk, clock: HeldClock) -> None:
    """While another has it, and when it was said."""
    sid = ring(line, "1")
    path = f"/staff/calls/{sid}"
    assert ana.post(f"{path}/claim").status_code == 303
    for refused in (ben.post(f"{path}/claim"), ben.post(f"{path}/judge", word="typo")):
        assert (refused.status_code, "ana is at this until" in refused.text) == (409, True)
    ana.post(f"{path}/judge", word="typo")
    refused = ben.post(f"{path}/judge", word="prank", why="so")
    assert (refused.status_code, "ana has said already" in refused.text) == (409, True)
    assert marks(line) == []


def test_withheld_number_is_nobody_s(line: Line, ana: Desk) -> None:
    """The call is judged, and nothing is held against anybody; it cannot be blocked."""
    sid = ring(line, "1", "anonymous")
    path = f"/staff/calls/{sid}"
    assert "Block the number" not in ana.get(path).text
    assert ana.post(f"{path}/judge", word="prank", why="laughed").status_code == 303
    assert (word(line, sid), marks(line)) == ("prank", [])
    assert ana.post(f"{path}/block", why="so", minutes=15).status_code == 422


def test_second_prank_of_a_number_is_judged_and_extends_nothing(line: Line, ana: Desk, ben: Desk) -> None:
    """Longer than one person's word takes another's."""
    first, second, third = (ring(line, name) for name in "123")
    for desk, sid in ((ana, first), (ana, second), (ben, third)):
        assert desk.post(f"/staff/calls/{sid}/judge", word="prank", why="sang").status_code == 303
    said = [each.event.is_marked for each in line.ledger.events() if isinstance(each.event, CallJudged)]
    assert said == [True, False, True]


def test_block_holds_from_the_next_ring_until_it_is_lifted(line: Line, ana: Desk, ben: Desk) -> None:
    """One person's, for as long as the policy allows; lifted by any other."""
    sid = ring(line, "1")
    path = f"/staff/calls/{sid}/block"
    for minutes in ("0", "721", "x", "-5", "99999"):
        assert ana.post(path, why="floods us", minutes=minutes).status_code == 422
    assert ana.post(path, why="", minutes=15).status_code == 422
    assert ana.post(path, why="floods us", minutes=15).status_code == 303
    assert outlook(line, GUESSER).verdict.reasons[0] == "RV-05"
    assert "until 19:15 UTC by ana: floods us" in ben.get(f"/staff/calls/{sid}").text
    assert ben.post(path, block="lift", why="a chair's phone").status_code == 303
    assert "RV-05" not in outlook(line, GUESSER).verdict.reasons
    assert ben.post(path, block="lift", why="again").status_code == 409


def test_blocking_a_number_on_file_raises_an_alert(line: Line, ana: Desk) -> None:
    """It stands until the number is let in again."""
    line.roster.register_number(CHAIR, CODE, "chair")
    sid = ring(line, "1", CHAIR)
    assert "It is on file" in ana.get(f"/staff/calls/{sid}").text
    ana.post(f"/staff/calls/{sid}/block", why="so", minutes=15)
    assert [each.kind for each in line.alerts.standing()] == ["chair-blocked"]
    ana.post(f"/staff/calls/{sid}/block", block="lift", why="so")
    assert line.alerts.standing() == []


def test_text_of_people_is_text(line: Line, ana: Desk) -> None:
    """Reasons stand as they were written, on the call and wherever it is told."""
    sid, script = ring(line, "1"), "<script>alert(1)</script>"
    ana.post(f"/staff/calls/{sid}/block", why=script, minutes=15)
    ana.post(f"/staff/calls/{sid}/judge", word="prank", why=script)
    shown = ana.get(f"/staff/calls/{sid}").text
    assert script not in shown
    assert shown.count("&lt;script&gt;alert(1)") >= 3
    assert script not in ana.get(f"/staff/calls?reason={script}&precinct={script}&number={script}").text


def test_call_that_never_was_is_not_found(ana: Desk) -> None:
    """For looking and for judging."""
    path = f"/staff/calls/CA{'0a' * 16}"
    assert ana.get(path).status_code == 404
    for act in ("claim", "judge", "undo", "block"):
        assert ana.post(f"{path}/{act}", word="typo", why="so", minutes=5).status_code == 404
