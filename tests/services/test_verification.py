"""Whatever is changed behind the application's back is found, and the right row is named."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from hotline.clock import Clock, seeded
from hotline.events.kinds import HeadcountGiven, TallyGiven
from hotline.services.verification import Fault, Verification, verify
from hotline.store.database import connect
from hotline.store.evidence import evidence
from hotline.store.ledger import Ledger
from hotline.store.migrate import migrate
from hotline.store.seal import Signer
from hotline.store.seals import Seals
from tests.services.cells import Cell, cells

SIGNER = Signer("a1" * 32)
EVENTS, LINKS = 80, 8
CODE = "00013"
CHANCE = seeded(20200203)


@dataclass(frozen=True)
class Sealed:
    """A closed database whose ledger is sealed, and the heads that were written down elsewhere."""

    file: Path
    heads: list[tuple[int, str]]


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Sealed:
    file = tmp_path_factory.mktemp("sealed") / "hotline.db"
    engine = connect(f"sqlite:///{file}")
    migrate(engine)
    ledger, seals, heads = Ledger(engine, Clock()), Seals(engine, Clock(), SIGNER), []
    for link in range(LINKS):
        tallies = [TallyGiven(CODE, "first", "Björn", link * 10 + at) for at in range(EVENTS // LINKS - 1)]
        ledger.append([HeadcountGiven(CODE, link), *tallies], call=f"CA{link:032x}")
        seals.seal()
        head = seals.head()
        assert head is not None
        heads.append((head.n, head.head))
    engine.dispose()
    with closing(sqlite3.connect(file)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Sealed(file, heads)


def checked(file: Path, heads: list[tuple[int, str]] | None = None) -> Verification:
    engine = connect(f"sqlite:///{file}")
    try:
        with evidence(engine) as found:
            return verify(found, SIGNER.public, {"a safe": heads or []})
    finally:
        engine.dispose()


@pytest.fixture
def tampered(sealed: Sealed, tmp_path: Path) -> Callable[..., Verification]:
    """Runs SQL on a copy, the database's own guards taken off, and verifies what is left."""

    def run(*statements: str, heads: bool = False) -> Verification:
        file = tmp_path / "tampered.db"
        shutil.copy(sealed.file, file)
        with closing(sqlite3.connect(file, isolation_level=None)) as raw:
            for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                raw.execute(f'DROP TRIGGER "{name}"')
            for statement in statements:
                raw.execute(statement)
        return checked(file, sealed.heads if heads else None)

    return run


def test_what_nobody_touched_holds(sealed: Sealed) -> None:
    """Every event and link is counted, and the head is the last that was written down."""
    report = checked(sealed.file, sealed.heads)
    assert (EVENTS, LINKS, 0, []) == (report.events, report.links, report.unsealed, report.faults)
    assert sealed.heads[-1][1] == report.head


@pytest.mark.parametrize("column", ["at", "call", "precinct", "kind", "version", "body"])
def test_a_changed_column_is_named(tampered: Callable[..., Verification], column: str) -> None:
    """Each column of an event is sealed."""
    report = tampered(f"UPDATE events SET {column} = 1 WHERE seq = 57")
    assert ("events", 57) == (report.first.table, report.first.row)
    assert EVENTS - 1 == report.events


@pytest.mark.parametrize("column", ["first", "last", "count", "root", "leaves", "previous", "at", "key", "rows"])
def test_a_changed_link_is_named(tampered: Callable[..., Verification], column: str) -> None:
    """Each column of a link is sealed, its list of events too: no event is blamed for it."""
    report = tampered(f"UPDATE seals SET {column} = {column} || '0' WHERE n = 7")
    assert ("seals", 7) == (report.first.table, report.first.row)
    assert {"seals"} == {fault.table for fault in report.faults}


@pytest.mark.parametrize("seq", [1, 2, 40, EVENTS])
def test_a_deleted_event_is_named(tampered: Callable[..., Verification], seq: int) -> None:
    """The first, the last or one between."""
    assert [Fault("events", seq, "is missing")] == tampered(f"DELETE FROM events WHERE seq = {seq}").faults


def test_events_that_change_places_are_named(tampered: Callable[..., Verification]) -> None:
    """Two rows under each other's numbers: both are named, the earlier first."""
    report = tampered(
        "UPDATE events SET seq = -1 WHERE seq = 50",
        "UPDATE events SET seq = 50 WHERE seq = 60",
        "UPDATE events SET seq = 60 WHERE seq = -1",
    )
    assert [50, 60] == [fault.row for fault in report.faults]


def test_an_event_put_in_is_named(tampered: Callable[..., Verification]) -> None:
    """A number that was never sealed, below the last that was."""
    report = tampered(
        "UPDATE seals SET n = n",
        "INSERT INTO events (seq, at, call, precinct, kind, body) VALUES (0, '', '', '', 'SiteClosed', '{}')",
    )
    assert ("events", 1) == (report.first.table, report.first.row)


def test_a_missing_link_is_named(tampered: Callable[..., Verification]) -> None:
    """Its events stand there without a seal, and the chain has a gap."""
    report = tampered("DELETE FROM seals WHERE n = 4")
    assert ("seals", 4) == (report.first.table, report.first.row)


def test_a_ledger_cut_short_is_found_by_heads_kept_elsewhere(tampered: Callable[..., Verification]) -> None:
    """Events and links that end early hold by themselves: only what was written down elsewhere tells."""
    cut = ("DELETE FROM events WHERE seq > 60", "DELETE FROM seals WHERE n > 6")
    assert tampered(*cut).is_sound
    report = tampered(*cut, heads=True)
    assert ("seals", 7) == (report.first.table, report.first.row)


def test_a_ledger_sealed_anew_by_somebody_else_is_found(tampered: Callable[..., Verification], sealed: Sealed) -> None:
    """Another key's signature is not ours, however well its chain holds."""
    engine = connect(f"sqlite:///{sealed.file}")
    try:
        with evidence(engine) as found:
            report = verify(found, Signer("b2" * 32).public, {})
    finally:
        engine.dispose()
    assert LINKS == len(report.faults)


def edits(sealed: Sealed) -> Iterator[tuple[Cell, int, int]]:
    """A thousand single bytes of the rows of both tables, each with what it becomes."""
    found = cells(sealed.file, ("events", "seals"))
    for _ in range(1000):
        cell = CHANCE.choice(found)
        yield cell, CHANCE.randrange(cell.start, cell.end), CHANCE.randrange(1, 256)


def test_a_thousand_single_bytes_are_found(sealed: Sealed, tmp_path: Path) -> None:
    """Any byte of any row, its bookkeeping included, turned into any other: found, and the row named."""
    whole, file = sealed.file.read_bytes(), tmp_path / "edited.db"
    missed: list[str] = []
    for cell, at, mask in edits(sealed):
        edited = bytearray(whole)
        edited[at] ^= mask
        file.write_bytes(edited)
        report = checked(file)
        if report.is_sound or (report.first.table, report.first.row) != (cell.table, cell.row):
            named = "nothing" if report.is_sound else str(report.first)
            missed.append(f"{cell} byte {at - cell.start} ^ {mask:02x}: {named}")
    assert [] == missed
