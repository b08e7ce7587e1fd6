"""Each request of the carrier is one line, found by its call, without anything that was keyed and without a number."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from hotline.logs import told
from hotline.services.line import Line
from hotline.web import journal
from hotline.web.app import create_app
from tests.lines import line_on, prepared_database
from tests.web.test_metrics import NUMBER, SID, call


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def line(database: Path, tmp_path: Path) -> Iterator[Line]:
    opened = line_on(database, tmp_path)
    yield opened
    opened.ledger.engine.dispose()


@pytest.fixture
def app(line: Line) -> Flask:
    return create_app(line)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    said = [record.getMessage() for record in caplog.records if record.name == journal.__name__]
    return [re.sub(r"ms=\d+", "ms=", each) for each in said]


def test_every_turn_is_a_line_found_by_its_call(app: Flask, line: Line, caplog: pytest.LogCaptureFixture) -> None:
    """The ring, a wrong sign-in, a turn that was held, the end; though everything else of the part is silent."""
    packet = line.pins.issue(["00013"])[0]
    logging.getLogger().setLevel(logging.WARNING)
    client = app.test_client()
    call(client)
    call(client, "/voice/turn/1", Digits="00013")
    call(client, "/voice/turn/2?held=1", Digits=packet.pin)
    call(client, "/voice/ended", CallStatus="completed", CallDuration="42")
    assert [
        f"answered call={SID} route=calls.answer status=200 ms=",
        f"answered call={SID} route=calls.turn turn=1 status=200 ms=",
        f"answered call={SID} route=calls.turn turn=2 held=1 status=200 ms=",
        f"answered call={SID} route=notices.ended status=204 ms=",
    ] == lines(caplog)
    assert not re.search(rf"{packet.pin}|{NUMBER[1:]}", caplog.text)


def test_what_is_no_turn_and_no_call_is_not_repeated(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    """Addresses and forms may name anything."""
    client = app.test_client()
    call(client, f"/voice/turn/{NUMBER}")
    call(client, "/voice/turn/7", CallSid=NUMBER)
    call(client, f"/voice/turn/7?held={NUMBER[1:]}")
    assert [NUMBER[1:] in each for each in lines(caplog)] == [False] * 3


def test_an_apology_is_told(app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def bug(*given: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("hotline.services.intake.screen", bug)
    call(app.test_client())
    assert [f"answered call={SID} route=calls.answer status=200 apology=yes ms="] == lines(caplog)


def test_readers_and_forgers_are_no_turns(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    """Their lines would fill a disk."""
    client = app.test_client()
    client.get("/results")
    call(client, token="x" * 32)
    assert [] == lines(caplog)


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({}, "done"),
        ({"call": "CA1", "ms": 3, "held": None}, "done call=CA1 ms=3"),
        ({"came": "not due"}, 'done came="not due"'),
        ({"came": 'a "word"\nand a line of its own'}, r'done came="a \"word\"\nand a line of its own"'),
        ({"came": ""}, 'done came=""'),
    ],
)
def test_a_line_can_be_taken_apart_again(facts: dict[str, object], line: str) -> None:
    """Whatever a value holds, it stays one line, and each fact has its end."""
    assert line == told("done", **facts)
