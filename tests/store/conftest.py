"""What the store is tested against: a SQLite file and, in tests marked `outside`, a real PostgreSQL."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from hotline.store.counters import Counters
from hotline.store.database import connect
from hotline.store.ledger import Ledger
from hotline.store.migrate import migrate
from hotline.store.pins import Peppers, Pins
from tests.store.held import KEY, PEPPER, HeldClock


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL of one's own on a socket in a temporary folder; `%s` in the URL is the database."""
    folder = Path(tempfile.mkdtemp(prefix="hotline-pg-"))
    # PostgreSQL refuses to run as root; any other user will do.
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    os.chown(folder, account.pw_uid, account.pw_gid)
    options = {"user": account.pw_uid, "group": account.pw_gid, "cwd": folder} if os.geteuid() == 0 else {"cwd": folder}
    data = folder / "data"
    initdb = [_program("initdb"), "-D", data, "-U", "hotline", "--no-sync", "-E", "UTF8", "--locale=C"]
    subprocess.run(initdb, check=True, capture_output=True, **options)
    server = [_program("pg_ctl"), "-D", data, "-w", "-o", f"-k {folder} -c listen_addresses='' -c max_connections=300"]
    subprocess.run([*server, "-l", folder / "log", "start"], check=True, capture_output=True, **options)
    try:
        yield f"postgresql+psycopg://hotline@/%s?host={folder}"
    finally:
        subprocess.run([*server, "-m", "immediate", "stop"], check=True, capture_output=True, **options)
        shutil.rmtree(folder)


def _program(name: str) -> str:
    found = shutil.which(name) or next(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), None)
    assert found, f"{name} is not installed"
    return found


_numbered = itertools.count(1)


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database: SQLite unless the test is run on both."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{tmp_path / 'hotline.db'}"
    template: str = request.getfixturevalue("postgres")
    name = f"test{next(_numbered)}"
    admin = create_engine(template % "postgres", isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    admin.dispose()
    return template % name


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """A database at the newest schema."""
    engine = connect(url)
    migrate(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def ledger(engine: Engine, clock: HeldClock) -> Ledger:
    return Ledger(engine, clock)


@pytest.fixture
def pins(engine: Engine, clock: HeldClock) -> Pins:
    return Pins(engine, clock, Peppers(PEPPER))


@pytest.fixture
def counters(engine: Engine, clock: HeldClock) -> Counters:
    return Counters(engine, clock, KEY)
