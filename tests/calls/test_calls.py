"""Every call kept here as data, played through the real application and a real ledger."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from hotline.clock import Clock
from hotline.events.kinds import kind_of, to_body
from hotline.practice.interpreter import Dialled, conversation
from hotline.practice.phone import in_process
from hotline.services.line import open_line
from hotline.settings import config_folder, load
from hotline.store.database import connect
from hotline.store.migrate import migrate
from hotline.store.roster import Roster
from hotline.web.app import create_app
from tests.calls.call_file import Packet, call_files, check_kept, play, read_call

BASE = "https://line.example"
ACCOUNT = "AC" + "1" * 32
SECRETS = {
    "TWILIO_ACCOUNT_SID": ACCOUNT,
    "TWILIO_AUTH_TOKEN": "0123456789abcdef0123456789abcdef",
    "HOTLINE_PEPPER": "fedcba9876543210fedcba9876543210",
    "HOTLINE_SECRET_KEY": "00112233445566778899aabbccddeeff",
    "HOTLINE_SEAL_KEY": "a1" * 32,
}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A database with the contest loaded; each call gets a copy of it. By contest name."""
    made = {}

    def database(contest: str) -> Path:
        if contest not in made:
            made[contest] = tmp_path_factory.mktemp(contest) / "hotline.db"
            engine = connect(f"sqlite:///{made[contest]}")
            migrate(engine)
            Roster(engine, Clock()).load_folder(config_folder() / "contests" / contest)
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            engine.dispose()
        return made[contest]

    return database


@pytest.fixture
def line_of(loaded, tmp_path):
    """Open a line for the contest on a database of its own."""
    opened = []

    def open_for(contest: str):
        shutil.copy(loaded(contest), tmp_path / "hotline.db")
        settings = load({}, HOTLINE_DATA=tmp_path, PUBLIC_BASE_URL=BASE, **SECRETS)
        opened.append(open_line(settings))
        return opened[-1]

    yield open_for
    for line in opened:
        line.ledger.engine.dispose()


def issued(line, path):
    """Packets for the precincts the file names, as on their paper."""
    named = set(re.findall(r"(?<![0-9])[0-9]{5}(?![0-9])", path.read_text(encoding="utf-8")))
    packets = line.pins.issue(sorted(named & set(line.contest.precincts)))
    return {packet.precinct: Packet(packet.pin, packet.correction_code) for packet in packets}


@pytest.mark.parametrize("path", list(call_files()), ids=lambda path: path.name.removesuffix(".call.toml"))
def test_a_call_goes_as_written(path, line_of):
    """What is heard at every question, and what the ledger holds at the end."""
    call = read_call(path)
    line = line_of(call.contest)
    for number, precincts in call.on_file.items():
        for precinct in precincts:
            line.roster.register_number(number, precinct, "chair")
    packets = issued(line, path)
    post = in_process(create_app(line).test_client(), SECRETS["TWILIO_AUTH_TOKEN"])

    def ring(phone, number):
        sid = f"CA{line.clock.token(16)}"
        return conversation(Dialled(sid, ACCOUNT, number, "+15155550199"), post, base=BASE)

    play(call, ring, packets.__getitem__)
    check_kept(call, [(kind_of(each.event), to_body(each.event)) for each in line.ledger.events()])
