"""A data folder for a rehearsal: drawn from a seed, and marked so that nobody takes it for a real line's.

A seed's secrets and PINs are no secrets: anyone can draw them again. The night itself stands in `night`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hotline import settings
from hotline.caucus.contest import Contest
from hotline.caucus.worksheet import Worksheet
from hotline.caucus.worksheets import read_worksheets
from hotline.clock import Clock, seeded
from hotline.errors import SetupError
from hotline.services.line import Line
from hotline.store.database import connect
from hotline.store.migrate import migrate
from hotline.store.pins import Packet
from hotline.store.roster import Roster

WORKSHEETS = "worksheets.csv"


def read_sheets(contest: Contest, folder: Path) -> dict[str, Worksheet]:
    """The worksheets that come with a contest folder, by precinct code. Raises SetupError when none do."""
    file = folder / WORKSHEETS
    if not file.is_file():
        raise SetupError(f"{folder} has no {WORKSHEETS}: there is nothing to phone in")
    return read_worksheets(contest, file.read_bytes())


def prepare(data: Path, contest_folder: Path, seed: int) -> Contest:
    """A new rehearsal's folder: an empty database with the mark and the contest in it, and secrets of the seed.

    Raises SetupError when the folder holds a line already: neither a real night nor a rehearsal is written over.
    """
    database = data / "hotline.db"
    if database.exists() or (data / "secrets.env").exists():
        raise SetupError(f"{data} holds a line already; name an empty folder, or remove it first")
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    engine = connect(f"sqlite:///{database}", threads=1)
    try:
        migrate(engine)
        roster = Roster(engine, Clock())
        roster.mark_rehearsal()  # before the secrets: a folder with drawn secrets is never without its mark
        contest = roster.load_folder(contest_folder)
    finally:
        engine.dispose()
    source = seeded(seed, "secrets")
    settings.ensure_secrets(data, lambda count: source.randbytes(count).hex())
    return contest


def hand_out(line: Line, codes: Sequence[str], seed: int, progress: Callable[[int], None]) -> dict[str, Packet]:
    """Packets for these precincts, by code: PINs of the seed."""
    packets = line.pins.issue(codes, source=seeded(seed, "pins"), progress=progress)
    return {packet.precinct: packet for packet in packets}


def lost(line: Line, heard: Mapping[str, str]) -> list[str]:
    """Precincts whose confirmation number was heard and whose report is not in the results: none, or a promise broke.

    `heard` maps a precinct's code to the number.
    """
    results = line.projections.results()
    standings = line.ledger.standings()
    missing = []
    for code, confirmation in heard.items():
        versions = standings[code].versions if code in standings else ()
        promised = next((report.version for _, report in versions if report.confirmation == confirmation), None)
        if promised is None or code not in results or results[code].version < promised:
            missing.append(code)
    return missing
