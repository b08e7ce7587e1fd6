"""Call-backs at the command line: which wait, and taking one with the practice phone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from hotline.events.kinds import HeadcountGiven
from hotline.events.verification import CallBackAnswered, CallBackRequested
from hotline.services.line import Line
from hotline.web.app import create_app
from tests.commands.conftest import Hotline

CODE, CHAIR = "00013", "+15155550101"


@pytest.fixture
def waiting(line: Line) -> Line:
    """A line with one call-back for a precinct with a number on file, and one for a code nobody has."""
    line.roster.register_number(CHAIR, CODE, "chair")
    line.ledger.append([CallBackRequested(CODE, "limit"), CallBackRequested("99998", "slow")])
    return line


@pytest.fixture
def url(waiting: Line) -> Iterator[str]:
    """Where that line answers."""
    server = make_server("127.0.0.1", 0, None, threaded=True)
    base = f"http://127.0.0.1:{server.server_port}"
    server.app = create_app(replace(waiting, settings=replace(waiting.settings, public_base_url=base)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield base
    server.shutdown()
    thread.join()
    server.server_close()


def test_what_waits_is_listed(hotline: Hotline, waiting: Line, data: Path) -> None:
    """By precinct, with the reason; for programs as JSON."""
    said = hotline("call-backs", "--data", data)
    assert f"{CODE}  1 Northwest Adair: limit" in said.out
    assert "99998  no precinct of this contest: slow" in said.out
    assert said.err == "2 waiting\n"
    listed = json.loads(hotline("call-backs", "--data", data, "--json").out)
    assert [(each["precinct"], each["why"], each["version"]) for each in listed] == [
        (CODE, "limit", 0),
        ("99998", "slow", 0),
    ]


def test_the_practice_phone_is_called_back_and_reports(hotline: Hotline, waiting: Line, data: Path, url: str) -> None:
    """As a chair would, on the telephone on file; it rings once."""
    packet = waiting.pins.issue([CODE])[0]
    answer = ("phone", "--answer", CHAIR, "--url", url, "--data", data, "--keys", f"1 {packet.pin} 1 46")
    said = hotline(*answer)
    assert (said.code, said.err) == (0, "")
    assert "calling about 1 Northwest Adair" in said.out
    recorded = [each.event for each in waiting.ledger.events()]
    assert CallBackAnswered(CODE, 1) in recorded
    assert HeadcountGiven(CODE, 46) in recorded
    assert f"no call-back is due for {CHAIR}" in hotline(*answer).err


def test_a_line_with_a_carrier_leaves_the_calling_to_it(
    hotline: Hotline, waiting: Line, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the chair would never be rung."""
    monkeypatch.setenv("HOTLINE_NUMBERS", "+15155550199")
    said = hotline("phone", "--answer", CHAIR, "--data", data, "--keys", "1")
    assert (said.code, "made by the carrier" in said.err) == (2, True)
    assert len(waiting.call_backs.waiting()) == 2
