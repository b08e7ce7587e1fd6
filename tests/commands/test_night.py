"""Steering by hand: the state of the night and each number's threat, with the reason on record; alerts seen to."""

from __future__ import annotations

from pathlib import Path

from hotline.events.guard import EventStateChanged, ThreatChanged
from hotline.services.line import Line
from tests.commands.conftest import Hotline

NUMBER = "+15155550100"


def test_an_attack_is_declared_and_ended_by_a_person(hotline: Hotline, data: Path, line: Line) -> None:
    """Both are on record with who and why; the alert comes and goes with it."""
    assert hotline("night", "state", "attack", "--why", "calls from everywhere", "--data", data).code == 0
    shown = hotline("night", "show", "--data", data).out
    assert "The night is under attack." in shown
    assert "calls from everywhere" in shown
    hotline("night", "state", "calm", "--why", "over", "--data", data)
    assert hotline("night", "show", "--data", data).out == "The night is calm.\n0 alerts stand\n"
    changes = [each.event for each in line.ledger.events() if isinstance(each.event, EventStateChanged)]
    assert [("attack", "calls from everywhere"), ("calm", "over")] == [(each.state, each.why) for each in changes]


def test_a_number_is_guarded(hotline: Hotline, data: Path, line: Line) -> None:
    """From the next ring on; a second time changes nothing and leaves no record."""
    told = [hotline("night", "threat", NUMBER, "guarded", "--why", "leaked", "--data", data).out for _ in range(2)]
    assert [f"{NUMBER} is guarded, on record.\n", f"{NUMBER} is guarded already.\n"] == told
    assert "guarded" == line.conditions.at_ring(NUMBER).threat
    assert 1 == sum(isinstance(each.event, ThreatChanged) for each in line.ledger.events())


def test_alerts_are_taken_down_by_kind(hotline: Hotline, data: Path, line: Line) -> None:
    """Those of one kind, and no other."""
    line.alerts.raise_once("guesses", "many PINs guessed")
    line.alerts.raise_once("policy", "the file is broken")
    assert hotline("night", "seen", "guesses", "--data", data).out == "1 alerts taken down\n"
    assert ["policy"] == [each.kind for each in line.alerts.standing()]


def test_what_cannot_be_done_is_said(hotline: Hotline, data: Path, line: Line) -> None:
    """No reason, no number, no such state."""
    for arguments in (("state", "attack", "--why", " "), ("threat", "12", "open", "--why", "x"), ("state", "calm")):
        said = hotline("night", *arguments, "--data", data)
        assert 2 == said.code
        assert said.err
