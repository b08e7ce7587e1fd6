"""The doors for numbers on file that the line called: signed like every other, and what they pass on."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotline.events.verification import CallBackFailed, CallBackRequested
from hotline.practice.call_back import called_back
from hotline.practice.interpreter import place_call
from hotline.practice.phone import in_process
from hotline.practice.players import player
from hotline.web.app import create_app
from tests.lines import ACCOUNT, BASE, TOKEN, line_on, prepared_database

CODE, OURS, CHAIR = "00013", "+15155550199", "+15155550101"


@pytest.fixture(scope="module")
def database(tmp_path_factory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def line(database, tmp_path):
    opened = line_on(database, tmp_path)
    opened.roster.register_number(CHAIR, CODE, "chair")
    opened.ledger.append([CallBackRequested(CODE, "limit")])
    assert opened.call_backs.claim(1, CHAIR)
    yield opened
    opened.ledger.engine.dispose()


def ring(line, keys: str, request: int = 1, number: str = CHAIR):
    post = in_process(create_app(line).test_client(), TOKEN)
    return place_call(
        called_back("CA" + "0b" * 16, ACCOUNT, number, OURS, request), post, player(keys.split()), base=BASE
    )


def test_a_chair_who_is_called_reports_with_the_packet(line) -> None:
    """Through the doors a call of one's own goes through."""
    packet = line.pins.issue([CODE])[0]
    log = ring(line, f"1 {packet.pin} 1 46")
    said = " ".join(entry.text for entry in log.transcript if entry.kind == "heard")
    assert "calling about 1 Northwest Adair" in said
    assert "How many eligible people" in said
    assert log.errors == ()


@pytest.mark.parametrize(("request_number", "number"), [(1, "+15155550777"), (2, CHAIR), (2147483647, CHAIR)])
def test_a_call_the_line_did_not_place_ends_in_a_goodbye(line, request_number: int, number: str) -> None:
    """Even when the carrier signed for it."""
    log = ring(line, "1", request_number, number)
    assert (log.ended, log.last_heard, log.errors) == ("line hung up", "Thank you. Goodbye.", ())


@pytest.mark.parametrize("path", ["/voice/back/answer/1", "/voice/back/ended/1"])
def test_nobody_but_the_carrier_gets_in(line, path: str) -> None:
    """No signature, no call-back."""
    assert create_app(line).test_client().post(path, data={"To": CHAIR}).status_code == 403
    assert line.call_backs.answer(1, "CA1", CHAIR) is not None


@pytest.mark.parametrize("path", ["/voice/back/answer/x", "/voice/back/answer/2147483648", "/voice/back/ended/-1"])
def test_what_is_no_call_back_is_not_found(line, path: str) -> None:
    """Before anything is read."""
    assert create_app(line).test_client().post(path).status_code == 404


def test_nobody_picked_up(line) -> None:
    """The carrier's word goes on record."""
    post = in_process(create_app(line).test_client(), TOKEN)
    fields = {"CallSid": "CA" + "0c" * 16, "AccountSid": ACCOUNT, "CallStatus": "busy", "CallDuration": "0"}
    assert post(f"{BASE}/voice/back/ended/1", fields).status == 204
    assert [each.event for each in line.ledger.events()][-1] == CallBackFailed(CODE, 1, "busy")
