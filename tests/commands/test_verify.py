"""`hotline verify` and `hotline seal`: the line's own ledger, or a bundle with the public key alone."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hotline.events.kinds import HeadcountGiven
from hotline.services.line import Line
from hotline.store import heads
from hotline.store.seal import Signer
from hotline.store.seals import Seals
from tests.commands.conftest import Hotline

OTHER = Signer("b2" * 32).public


@pytest.fixture
def sealed(line: Line) -> Line:
    """A line with seven sealed events, its heads written down in the data folder."""
    seals = Seals(line.ledger.engine, line.clock, Signer(line.settings.seal_key or ""))
    for count in (4, 3):
        line.ledger.append([HeadcountGiven("00013", number) for number in range(count)])
        seals.seal()
        head = seals.head()
        assert head is not None
        heads.keep(head, line.settings.seal_folders, None)
    return line


def broken(data: Path, statement: str) -> None:
    with closing(sqlite3.connect(data / "hotline.db", isolation_level=None)) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f'DROP TRIGGER "{name}"')
        raw.execute(statement)


def test_a_ledger_that_holds_says_so(hotline: Hotline, data: Path, sealed: Line) -> None:
    """Counts, head and key; exit 0."""
    said = hotline("verify", "--data", data)
    assert 0 == said.code
    assert said.out.startswith("The ledger holds: 7 events under 2 seals, 0 newer than the last one.\n")
    assert f"Key  {hotline('seal', 'key', '--data', data).out.strip()}" in said.out


def test_the_first_bad_row_is_named(hotline: Hotline, data: Path, sealed: Line) -> None:
    """One body changed behind the line's back: exit 1, the row in words and as data."""
    broken(data, "UPDATE events SET body = replace(body, '2', '9') WHERE seq = 3")
    said = hotline("verify", "--data", data)
    assert (1, True) == (said.code, "THE LEDGER DOES NOT HOLD, first at events 3" in said.out)
    report = json.loads(hotline("verify", "--json", "--data", data).out)
    assert {"table": "events", "row": 3, "what": "was changed"} == report["first"]
    assert (False, 6) == (report["sound"], report["events"])


def test_a_ledger_cut_short_is_found_by_its_heads(hotline: Hotline, data: Path, sealed: Line) -> None:
    """The last link and its events are gone; the data folder still has its head."""
    broken(data, "DELETE FROM seals WHERE n = 2")
    broken(data, "DELETE FROM events WHERE seq > 4")
    said = hotline("verify", "--data", data)
    assert (1, True) == (said.code, "seals 2: is not in the database" in said.out)
    assert 0 == hotline("verify", "--heads", data / "nothing", "--data", data).code


def test_a_bundle_is_verified_without_a_line(hotline: Hotline, data: Path, sealed: Line, tmp_path: Path) -> None:
    """With the public key alone, from any folder; under another key it does not hold."""
    bundle, key = tmp_path / "bundle.gz", hotline("seal", "key", "--data", data).out.strip()
    assert 0 == hotline("seal", "export", bundle, "--data", data).code
    nowhere = tmp_path / "nowhere"
    said = hotline("verify", "--bundle", bundle, "--key", key, "--data", nowhere)
    assert (0, "") == (said.code, said.err)
    assert "compare it" in hotline("verify", "--bundle", bundle).err
    assert 1 == hotline("verify", "--bundle", bundle, "--key", OTHER).code
    assert 0 == hotline("verify", "--bundle", bundle, "--key", key, "--heads", sealed.settings.seal_folders[0]).code


@pytest.mark.parametrize(
    ("old", "new", "first"),
    [
        ('"seq":5', '"seq":50', ("events", 5)),
        ('{"event":{"seq":2', '{"event":{"seq":"2"', ("events", 2)),
        ('"count":3', '"count":4', ("seals", 2)),
        ('{"event":{"seq":6', '{"event:{"seq":6', ("events", 6)),
    ],
)
def test_a_bundle_tampered_with_names_the_row(
    hotline: Hotline, data: Path, sealed: Line, old: str, new: str, first: tuple[str, int]
) -> None:
    """A number, a type, a link, or a line that is no JSON any more."""
    bundle = data / "bundle.gz"
    hotline("seal", "export", bundle, "--data", data)
    text = gzip.decompress(bundle.read_bytes()).decode()
    assert old in text
    bundle.write_bytes(gzip.compress(text.replace(old, new, 1).encode()))
    said = hotline("verify", "--bundle", bundle, "--json")
    report = json.loads(said.out)
    assert (1, first) == (said.code, (report["first"]["table"], report["first"]["row"]))


def test_a_bundle_cut_off_is_found(hotline: Hotline, data: Path, sealed: Line, tmp_path: Path) -> None:
    """Half a download: what is missing is named, nothing is a traceback."""
    bundle = tmp_path / "bundle.gz"
    hotline("seal", "export", bundle, "--data", data)
    whole = bundle.read_bytes()
    for length in range(30, len(whole) - 8, 40):
        bundle.write_bytes(whole[:length])
        assert hotline("verify", "--bundle", bundle).code in (1, 2)


def test_what_cannot_be_asked_is_one_line(hotline: Hotline, data: Path, sealed: Line, tmp_path: Path) -> None:
    """A file that is no bundle, a key that is none, a bundle that exists already."""
    stray = tmp_path / "stray"
    stray.write_text("hello")
    for arguments in (
        ("verify", "--bundle", stray),
        ("verify", "--key", "abc", "--data", data),
        ("seal", "export", stray, "--data", data),
    ):
        said = hotline(*arguments)
        assert (2, 1) == (said.code, said.err.count("\n"))
