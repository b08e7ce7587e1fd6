"""A database that can lose what it confirmed is refused, with the setting that is wrong."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from hotline.errors import SetupError
from hotline.store import database, durability
from hotline.store.database import connect
from hotline.store.durability import MOUNTS, file_system, require_durable
from tests.store.held import BOTH

MOUNTED = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /srv rw shared:7 - nfs4 server:/export rw
31 30 8:2 / /srv/own\\040disk rw - xfs /dev/sdb1 rw
32 22 0:41 / /mnt/office rw - cifs //office/share rw
"""


@pytest.mark.parametrize("url", BOTH, indirect=True)
def test_database_as_we_open_it_is_durable(engine: Engine) -> None:
    require_durable(engine)


@pytest.mark.parametrize(
    ("pragma", "said"),
    [
        ("PRAGMA journal_mode = DELETE", "SQLite keeps a delete journal"),
        ("PRAGMA synchronous = NORMAL", "SQLite's synchronous is 1"),
        ("PRAGMA synchronous = OFF", "SQLite's synchronous is 0"),
    ],
)
def test_sqlite_that_can_lose_a_commit_is_refused(
    url: str, monkeypatch: pytest.MonkeyPatch, pragma: str, said: str
) -> None:
    """What is in force on the file counts, whatever was asked for."""
    monkeypatch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, pragma))
    engine = connect(url)
    with pytest.raises(SetupError, match=said):
        require_durable(engine)
    engine.dispose()


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("/var/line/hotline.db", "ext4"),
        ("/srv/line/hotline.db", "nfs4"),
        ("/srv/own disk/hotline.db", "xfs"),
        ("/srvline/hotline.db", "ext4"),
        ("/mnt/office/hotline.db", "cifs"),
    ],
)
def test_file_system_is_that_of_the_nearest_mount(file: str, kind: str) -> None:
    assert kind == file_system(Path(file), MOUNTED)


@pytest.mark.skipif(not MOUNTS.exists(), reason="only Linux tells what is mounted")
def test_file_system_of_this_machine_is_the_one_its_own_program_names(tmp_path: Path) -> None:
    named = subprocess.run(["df", "--output=fstype", tmp_path], capture_output=True, text=True, check=True).stdout
    assert named.split()[-1] == file_system(tmp_path, MOUNTS.read_text())


@pytest.mark.skipif(not MOUNTS.exists(), reason="only Linux tells what is mounted")
def test_sqlite_on_a_network_file_system_is_refused(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTED + f"40 22 0:50 / {tmp_path} rw - nfs4 server:/line rw\n")
    monkeypatch.setattr(durability, "MOUNTS", mounts)
    with pytest.raises(SetupError, match="is on nfs4, a network file system"):
        require_durable(engine)


@contextmanager
def turned_off(url: str, name: str) -> Iterator[None]:
    """A setting of the whole server off while the block lasts."""
    admin = create_engine(url, isolation_level="AUTOCOMMIT")
    try:
        with admin.connect() as connection:
            connection.execute(text(f"ALTER SYSTEM SET {name} = off"))
            connection.execute(text("SELECT pg_reload_conf()"))
        yield
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"ALTER SYSTEM RESET {name}"))
            connection.execute(text("SELECT pg_reload_conf()"))
        admin.dispose()


def eventually(url: str, name: str, value: str) -> None:
    """Wait for the server to have read its configuration again."""
    admin = create_engine(url)
    deadline = time.monotonic() + 20
    with admin.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        while connection.execute(text(f"SHOW {name}")).scalar_one() != value:
            assert time.monotonic() < deadline
            time.sleep(0.02)
    admin.dispose()


@pytest.mark.outside
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("name", ["synchronous_commit", "fsync", "full_page_writes"])
def test_postgresql_that_can_lose_a_commit_is_refused(url: str, name: str) -> None:
    """Each of the three, turned off on a real server; turned on again it will do."""
    engine = connect(url)
    with turned_off(url, name):
        eventually(url, name, "off")
        with pytest.raises(SetupError, match=f"PostgreSQL's {name} is off"):
            require_durable(engine)
    eventually(url, name, "on")
    engine.dispose()
    require_durable(engine)
    engine.dispose()


@pytest.mark.outside
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_postgresql_turned_off_for_this_database_alone_is_refused(url: str) -> None:
    admin = create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {admin.url.database} SET synchronous_commit = off"))
    admin.dispose()
    engine = connect(url)
    with pytest.raises(SetupError, match="PostgreSQL's synchronous_commit is off"):
        require_durable(engine)
    engine.dispose()
