"""Each alert is told once, several in one message, a minute apart; the database may be away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, cast

import pytest

from hotline.errors import NotRecorded
from hotline.services.line import Line
from hotline.services.outgoing import carrier_of
from hotline.services.paging import APART_SECONDS, AWAY_SECONDS, LONGEST, Pager, words
from hotline.store.alerts import Alert
from hotline.telephony.outbound import Carrier, CarrierRefused
from tests.lines import line_on
from tests.services.scenes import Moved

PHONES = ("+15155550142", "+15155550143")
HOOK = "https://hooks.example/secret"


@dataclass
class Told:
    """A carrier and an address that note what they are told."""

    texts: list[tuple[str, str]] = field(default_factory=list)
    posts: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    refuses: str = ""

    def text(self, number: str, words: str) -> str:
        if number == self.refuses:
            raise CarrierRefused("The carrier answered 400")
        self.texts.append((number, words))
        return "SM1"

    def post(self, url: str, message: dict[str, str]) -> None:
        self.posts.append((url, message))


@pytest.fixture
def clock() -> Moved:
    return Moved()


@pytest.fixture
def line(database: Path, tmp_path: Path, clock: Moved) -> Iterator[Line]:
    opened = line_on(database, tmp_path, clock, HOTLINE_ALERT_NUMBERS=" ".join(PHONES), HOTLINE_ALERT_URL=HOOK)
    yield opened
    opened.ledger.engine.dispose()


def pager_of(line: Line, told: Told) -> Pager:
    return Pager(line, cast(Carrier, told), told.post)


def test_an_alert_is_told_once_to_everybody(line: Line) -> None:
    """By whichever of two pagers takes it."""
    told = Told()
    line.alerts.raise_once("disk", "The disk is full")
    for pager in (pager_of(line, told), pager_of(line, told)):
        pager.run()
        pager.run()
    message = f"{line.contest.title}: 1 alert. The disk is full."
    assert [(phone, message) for phone in PHONES] == told.texts
    assert [(HOOK, {"text": message})] == told.posts


def test_messages_are_a_minute_apart(line: Line, clock: Moved) -> None:
    """What comes meanwhile goes together in the next; what is over by then is not told."""
    told = Told()
    pager = pager_of(line, told)
    for kind in ("first", "second", "third", "over"):
        line.alerts.raise_once(kind, f"The {kind}")
        pager.run()
    line.alerts.clear("over")
    assert 1 == len(told.posts)
    clock.move(APART_SECONDS)
    pager.run()
    pager.run()
    assert [f"{line.contest.title}: 2 alerts. The second. The third."] == [each["text"] for _, each in told.posts[1:]]


def test_one_way_that_fails_does_not_keep_the_others(line: Line, caplog: pytest.LogCaptureFixture) -> None:
    """The log names the telephone by its last digits alone."""
    told = Told(refuses=PHONES[0])
    line.alerts.raise_once("disk", "The disk is full")
    pager_of(line, told).run()
    assert ([PHONES[1]], 1) == ([number for number, _ in told.texts], len(told.posts))
    assert "…0142" in caplog.text
    assert PHONES[0] not in caplog.text


def test_a_database_that_is_away_is_told_once_each_time(
    line: Line, clock: Moved, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for the moment it takes to start it again."""
    told = Told()
    pager = pager_of(line, told)

    def gone(_: object) -> dict[int, Alert]:
        raise NotRecorded("gone")

    for outage in (1, 2):
        with monkeypatch.context() as broken:
            broken.setattr("hotline.store.alert_notices.AlertNotices.untold", gone)
            for _ in range(4):
                pager.run()
                assert outage - 1 == len(told.posts)
                clock.move(AWAY_SECONDS / 4 - 0.1)
            clock.move(AWAY_SECONDS)
            pager.run()
            pager.run()
            assert outage == len(told.posts)
        pager.run()
    assert "the database does not answer" in told.posts[0][1]["text"]


def test_a_message_is_short_however_many_alerts_there_are() -> None:
    """It says how many more there are."""
    many = [Alert("contested", str(n), f"Precinct {n:05d} is being guessed at", "") for n in range(200)]
    said = words("Iowa", many)
    assert len(said) <= LONGEST + len(" And 200 more.")
    assert said.startswith("Iowa: 200 alerts. Precinct 00000")
    shown = said.count("guessed at")
    assert said.endswith(f" And {200 - shown} more.")


def test_nobody_is_told_when_nobody_is_named(database: Path, tmp_path: Path) -> None:
    """No telephone, no address: the alert stands, and stays to be told."""
    line = line_on(database, tmp_path)
    told = Told()
    line.alerts.raise_once("disk", "The disk is full")
    pager_of(line, told).run()
    assert ([], []) == (told.texts, told.posts)
    line.ledger.engine.dispose()


def test_a_rehearsal_texts_nobody(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no carrier, whatever is set."""
    monkeypatch.setattr(type(line.roster), "is_rehearsal", lambda _: True)
    assert carrier_of(line) is None


class Hook(BaseHTTPRequestHandler):
    """An address that takes alerts, and sometimes does not."""

    got: list[bytes] = []  # noqa: RUF012 - shared by the requests of one test
    status = 200

    def do_POST(self) -> None:
        self.got.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *given: Any) -> None:
        """Nothing: the test's own output is enough."""


@pytest.mark.parametrize(("status", "is_told"), [(200, True), (204, True), (302, False), (500, False)])
def test_an_address_is_sent_json(
    status: int, is_told: bool, line: Line, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over HTTP, really; a refusal is logged without the address, which may hold a secret."""
    server = HTTPServer(("127.0.0.1", 0), Hook)
    monkeypatch.setattr(Hook, "status", status)
    monkeypatch.setattr(Hook, "got", [])
    answering = Thread(target=server.handle_request)
    answering.start()
    url = f"http://127.0.0.1:{server.server_port}/secret"
    object.__setattr__(line.settings, "alert_url", url)
    line.alerts.raise_once("disk", "The disk is full")
    Pager(line, None).run()
    answering.join(10)
    server.server_close()
    assert [b'{"text":"' in each for each in Hook.got] == [True]
    assert is_told == ("not told" not in caplog.text)
    assert "secret" not in caplog.text
