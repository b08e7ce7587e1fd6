"""No PIN, correction code, token or whole telephone number is where it does not belong, after real calls.

The calls: a night of chairs and pranksters, a wrong PIN, a correction, a forged request, a line that breaks. Then every
byte that was stored is read, and every word that was logged or printed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from hotline.caucus.worksheet import Worksheet
from hotline.events.kinds import CorrectionOpened, SignInFailed
from hotline.practice.interpreter import Dialled, place_call
from hotline.practice.phone import in_process
from hotline.practice.players import player
from hotline.practice.rehearsal import read_sheets
from hotline.services import tabulation
from hotline.settings import config_folder
from hotline.web.app import create_app
from tests.lines import ACCOUNT, BASE, SECRETS, TOKEN, line_on, prepared_database
from tests.practice.evening import Evening, evening_on

WRONG_PIN = "70361548"
CALLER = "+15155550100"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    line = line_on(prepared_database(tmp_path), tmp_path)
    sheets: dict[str, Worksheet] = read_sheets(line.contest, config_folder() / "contests" / "iowa-2020")
    yield evening_on(line, sheets)
    line.ledger.engine.dispose()


def _talk(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the night itself does not hold: a wrong PIN by hand, a correction, a forgery, our own bug."""
    evening.hold()
    for code in evening.packets:
        tabulation.tabulate(evening.line, code)
    packet = next(iter(evening.packets.values()))
    app = create_app(evening.line)
    call = partial(_call, evening, app.test_client())
    call("1", f"{packet.precinct} {WRONG_PIN} {packet.precinct} {packet.pin} 2 {packet.correction_code} 5")
    app.test_client().post("/voice/answer", data={"CallSid": "CA1", "Digits": packet.pin})
    with monkeypatch.context() as broken:
        broken.setattr("hotline.services.intake.judge", _bug)
        call("2", f"{packet.precinct} {packet.pin}")


def _bug(*given: object) -> None:
    raise RuntimeError("a bug while a PIN is in hand")


def _call(evening: Evening, client: object, name: str, keys: str) -> None:
    dialled = Dialled(f"CA{name * 32}", ACCOUNT, CALLER, "+15155550000")
    place_call(dialled, in_process(client, TOKEN), player(keys.split()), base=BASE)  # type: ignore[arg-type]


def test_no_secret_is_stored_or_said(
    evening: Evening,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Grep: the database and its log, every file beside it, the records of every logger, both streams."""
    caplog.set_level(logging.DEBUG)
    _talk(evening, monkeypatch)
    kinds = {type(recorded.event) for recorded in evening.line.ledger.events()}
    assert {SignInFailed, CorrectionOpened} <= kinds, "the calls were not what this test is about"
    assert "a bug while a PIN is in hand" in caplog.text
    stored = b"\n".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    said = "\n".join((*capfd.readouterr(), caplog.text)).encode()
    for secret in _secrets(evening):
        assert secret.encode() not in stored + said


def test_numbers_stand_in_the_calls_table_and_the_roster_alone(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Events, sessions, answers and logs hold the last four digits at most."""
    caplog.set_level(logging.DEBUG)
    _talk(evening, monkeypatch)
    numbers = {chair.number for chair in evening.players.numbers} | {CALLER}
    written = caplog.text + "".join(str(recorded.event) for recorded in evening.line.ledger.events())
    with evening.line.ledger.engine.connect() as connection:
        for table in ("turns", "events", "drafts", "outbox", "results", "findings"):
            written += str(connection.exec_driver_sql(f"SELECT * FROM {table}").all())
        written += str(connection.exec_driver_sql("SELECT session FROM calls").all())
    assert [number for number in sorted(numbers) if number.removeprefix("+") in written] == []


def test_values_that_hold_secrets_do_not_show_them(evening: Evening) -> None:
    """Printing settings, an errand or a chair, as a traceback with locals would, shows no secret."""
    shown = f"{evening.line.settings!r} {evening.players!r}"
    pins = [packet.pin for packet in evening.packets.values()]
    assert [secret for secret in (*pins, *SECRETS.values()) if secret in shown] == []


def _secrets(evening: Evening) -> list[str]:
    """Every PIN issued or tried, every correction code as text, and the line's own secrets.

    Four digits stand in many numbers by chance, but in no stored text between quotes.
    """
    packets = evening.packets.values()
    codes = [f'"{packet.correction_code}"' for packet in packets]
    secrets = [value for name, value in SECRETS.items() if name != "TWILIO_ACCOUNT_SID"]
    return [*(packet.pin for packet in packets), WRONG_PIN, *codes, *secrets]
