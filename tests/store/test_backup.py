"""A backup is whole or is not there, never goes over anything, and says what it is; damage is seen before writing."""

from __future__ import annotations

import errno
import json
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import Engine, make_url

from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.events.decisions import SiteClosed
from hotline.store import backup, postgres_copy, sqlite_copy
from hotline.store.backup import back_up, restore
from hotline.store.database import connect, reading, writing
from hotline.store.ledger import Ledger
from hotline.store.moment import newest_seal
from hotline.store.postgres_copy import _address
from hotline.store.schema import seals
from tests.store.held import BOTH

Change = Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]


@pytest.fixture
def file(engine: Engine, ledger: Ledger, tmp_path: Path) -> Path:
    """A backup of a small ledger."""
    ledger.append([SiteClosed("00013", "did not convene", "ana")])
    back_up(engine, tmp_path / "night.zip", Clock())
    return tmp_path / "night.zip"


@pytest.fixture
def new(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'new' / 'hotline.db'}"


def rewritten(file: Path, change: Change) -> Path:
    """The same file with its manifest or its copy changed."""
    with zipfile.ZipFile(file) as archive:
        manifest, copy = change(json.loads(archive.read("manifest.json")), archive.read("hotline.db"))
    other = file.with_name("other.zip")
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("hotline.db", copy)
    return other


def left_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir()) if folder.exists() else []


def test_backup_is_for_its_owner_alone_and_says_what_is_in_it(file: Path, engine: Engine) -> None:
    """One file, readable by its owner; nothing else is left beside it."""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [name for name in left_in(file.parent) if "night" in name] == ["night.zip"]
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == ["manifest.json", "hotline.db"]
        manifest = json.loads(archive.read("manifest.json"))
    assert (manifest["format"], manifest["database"]) == ("hotline backup 1", "sqlite")
    assert manifest["moment"]["newest_seq"] == 1
    assert manifest["secrets"].startswith("not in this file")


def test_file_that_is_there_is_never_overwritten(engine: Engine, tmp_path: Path) -> None:
    taken = tmp_path / "taken.zip"
    taken.write_text("somebody's")
    with pytest.raises(SetupError, match="File exists"):
        back_up(engine, taken, Clock())
    assert taken.read_text() == "somebody's"


def test_link_to_nowhere_is_not_followed(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "link.zip").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SetupError, match="File exists"):
        back_up(engine, tmp_path / "link.zip", Clock())
    assert not (tmp_path / "elsewhere").exists()


def test_disk_that_fills_up_leaves_no_backup(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stands under the name that only looks like a backup."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(backup, "_pack", full)
    (tmp_path / "stick").mkdir()
    with pytest.raises(SetupError, match="No space left"):
        back_up(engine, tmp_path / "stick" / "night.zip", Clock())
    assert left_in(tmp_path / "stick") == []


def test_database_without_tables_is_not_backed_up(url: str, tmp_path: Path) -> None:
    engine = connect(url)
    with pytest.raises(SetupError, match="no line in this database"):
        back_up(engine, tmp_path / "night.zip", Clock())
    engine.dispose()
    assert not (tmp_path / "night.zip").exists()


def _spoilt(manifest: dict[str, Any], copy: bytes) -> tuple[dict[str, Any], bytes]:
    return manifest, copy[:5000] + bytes([copy[5000] ^ 1]) + copy[5001:]


def _of_tomorrow(manifest: dict[str, Any], copy: bytes) -> tuple[dict[str, Any], bytes]:
    return {**manifest, "moment": {**manifest["moment"], "schema": "v9999"}}, copy


def _of_another_kind(manifest: dict[str, Any], copy: bytes) -> tuple[dict[str, Any], bytes]:
    return {**manifest, "format": "hotline backup 2"}, copy


def _without_a_moment(manifest: dict[str, Any], copy: bytes) -> tuple[dict[str, Any], bytes]:
    return {name: value for name, value in manifest.items() if name != "moment"}, copy


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_spoilt, "is damaged"),
        (_of_tomorrow, "schema v9999, which this release does not know"),
        (_of_another_kind, "is a hotline backup 2; this release reads hotline backup 1"),
        (_without_a_moment, "is no backup that this release can read"),
    ],
)
def test_backup_that_cannot_be_trusted_is_refused_before_anything_is_written(
    file: Path, new: str, change: Change, said: str
) -> None:
    with pytest.raises(SetupError, match=said):
        restore(new, rewritten(file, change))
    assert left_in(file.parent / "new") == []


@pytest.mark.parametrize("kept", [0.2, 0.9, 0.999])
def test_truncated_backup_is_refused(file: Path, new: str, kept: float) -> None:
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * kept)])
    with pytest.raises(SetupError, match="damaged"):
        restore(new, file)
    assert left_in(file.parent / "new") == []


def test_no_flipped_byte_changes_what_is_restored(file: Path, tmp_path: Path) -> None:
    """Wherever in the packed copy: nothing is restored, or (where the packing has two ways to say it) the same."""
    whole = file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        entry, copy = archive.getinfo("hotline.db"), archive.read("hotline.db")
    first, refused = entry.header_offset + 60, 0
    for place in range(first, first + entry.compress_size - 60, entry.compress_size // 23):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        folder = tmp_path / f"new{place}"
        try:
            restore(f"sqlite:///{folder / 'hotline.db'}", file)
        except SetupError:
            refused += 1
        assert [each.read_bytes() for each in folder.glob("**/*")] in ([], [copy])
    assert refused > 10


def test_copy_that_is_not_what_the_manifest_says_never_gets_its_name(file: Path, new: str) -> None:
    """Its digest is right and its bytes are those of a database, but the ledger in it ends elsewhere."""
    other = rewritten(
        file, lambda manifest, copy: ({**manifest, "moment": {**manifest["moment"], "newest_seq": 7}}, copy)
    )
    with pytest.raises(SetupError, match="ends at event 1; it should end at 7"):
        restore(new, other)
    assert left_in(file.parent / "new") == []


def test_restore_that_fails_at_the_last_step_leaves_nothing(
    file: Path, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(sqlite_copy.os, "rename", full)
    with pytest.raises(SetupError, match="No space left"):
        restore(new, file)
    assert left_in(file.parent / "new") == []


@pytest.mark.parametrize("name", ["hotline.db", "hotline.db-wal", "hotline.db-journal"])
def test_place_of_another_database_is_refused(file: Path, new: str, name: str) -> None:
    """A log left of a database that is gone would be taken for the restored one's."""
    folder = file.parent / "new"
    folder.mkdir()
    (folder / name).write_bytes(b"")
    with pytest.raises(SetupError, match=f"{name} is there already"):
        restore(new, file)
    assert left_in(folder) == [name]


def test_backup_of_one_kind_of_database_is_not_brought_to_the_other(file: Path, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="is of a sqlite database; DATABASE_URL names postgresql"):
        restore(f"postgresql+psycopg://hotline@/line?host={tmp_path}", file)


def test_missing_programs_of_postgresql_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    engine = connect("postgresql+psycopg://hotline@/line")
    with pytest.raises(SetupError, match="pg_restore is not on this machine: install PostgreSQL's client programs"):
        postgres_copy.require_empty(engine)


def test_password_of_postgresql_goes_into_a_private_file() -> None:
    """The command line, which everybody on the machine can read, names the file."""
    with _address(make_url("postgresql+psycopg://app:a%3Ab%5Cc@db.example/line")) as address:
        start, _, name = address.partition("?passfile=")
        assert start == "postgresql://app@db.example/line"
        file = Path(unquote(name))
        assert file.read_text() == "*:*:*:*:a\\:b\\\\c\n"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not file.exists()


@pytest.mark.parametrize("url", BOTH, indirect=True)
def test_manifest_names_the_newest_seal(url: str) -> None:
    """Its number, the event it reaches to and its head; nothing before there are seals, or a table for them."""
    engine = connect(url)
    row = {column.name: "" for column in seals.columns}
    with writing(engine) as connection:
        assert newest_seal(connection) is None
        seals.create(connection)
        assert newest_seal(connection) is None
        for n in (2, 1, 3):
            numbers = {"n": n, "first": 1, "last": 10 * n, "count": 10, "rows": b"", "head": f"head {n}"}
            connection.execute(seals.insert(), {**row, **numbers})
    with reading(engine) as connection:
        assert newest_seal(connection) == {"n": "3", "last": "30", "head": "head 3"}
    engine.dispose()
