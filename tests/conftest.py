"""What several floors test against: a real Valkey, started once."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
import redis

from hotline.store import embedded, queues
from tests.postgres import Postgres

Runs = Callable[[embedded.Embedded], AbstractContextManager["subprocess.Popen[bytes]"]]


@contextmanager
def _running(server: embedded.Embedded) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(server.command(), stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while not server.answers():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def running() -> Runs:
    """Run a Valkey of one's own as a block: for tests that kill it."""
    return _running


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[embedded.Embedded]:
    """The Valkey shared by the session; take `connection` to find it empty."""
    folder = tmp_path_factory.mktemp("v")
    server = embedded.in_folder(folder, folder)
    with _running(server):
        yield server


@pytest.fixture
def connection(valkey: embedded.Embedded) -> redis.Redis:
    """A client of an emptied Valkey."""
    with redis.Redis(unix_socket_path=str(valkey.socket), socket_timeout=30, protocol=2) as patient:
        patient.flushall()  # a busy machine may take longer than the line would wait
    return queues.client(valkey.url)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The PostgreSQL shared by the session; each test makes a database of its own in it."""
    server = Postgres()
    yield server
    server.remove()
