"""What the store is tested against: a SQLite file and, in tests marked `outside`, a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from hotline.store.counters import Counters
from hotline.store.database import connect
from hotline.store.ledger import Ledger
from hotline.store.migrate import migrate
from hotline.store.pins import Peppers, Pins
from tests.postgres import Postgres
from tests.store.held import KEY, PEPPER, HeldClock


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database: SQLite unless the test is run on both."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{tmp_path / 'hotline.db'}"
    return Postgres.database(request.getfixturevalue("postgres"))


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
