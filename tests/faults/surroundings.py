"""Faults of what a line stands on: its database's locks, its disk, its log, its clock."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import struct
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain, cycle, repeat
from pathlib import Path

import psycopg

from hotline.practice.trunk import Trunk
from tests.faults.nights import BASE, Fault, Hurt

DISK = "128m"
OFFSET = "offset"
WRONG_CLOCK = '''
"""Moves the clocks of whatever Python starts with this on its path by the seconds kept in a file beside it."""
import datetime, mmap, struct, time
from pathlib import Path
with Path(__file__).with_name("offset").open("rb") as file:
    kept = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)
real, right = datetime.datetime, time.time
class Moved(real):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)
time.time = lambda: right() + struct.unpack("d", kept)[0]
datetime.datetime = Moved
'''


def locked(seconds: float, every: float) -> Fault:
    """Somebody else's transaction holds every call's row (PostgreSQL), or the whole database (SQLite), for so long."""

    def harm(hurt: Hurt) -> None:
        url, take = hurt.line.settings.database_url, "BEGIN IMMEDIATE"
        if hurt.postgres:
            url, take = url.replace("+psycopg", ""), "SELECT sid FROM calls FOR UPDATE"
        pauses = chain([2.0], repeat(every))
        while not hurt.stopping.wait(next(pauses)):
            with closing(psycopg.connect(url) if hurt.postgres else _sqlite(url)) as other:
                other.execute(take)
                hurt.stopping.wait(seconds)
                other.rollback()

    return harm


def _sqlite(url: str) -> sqlite3.Connection:
    return sqlite3.connect(url.removeprefix("sqlite:///"), timeout=60, isolation_level=None)


@contextmanager
def small_disk(data: Path) -> Iterator[None]:
    """The night's folder on a disk of its own. Needs the right to mount."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "hotline", data], check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", data], check=True)


def may_mount() -> bool:
    """Whether this machine lets us have a small disk."""
    return os.geteuid() == 0 and shutil.which("mount") is not None


def full(seconds: float, every: float) -> Fault:
    """The disk of database, queue and logs filled to its last byte for so long, and emptied again."""

    def harm(hurt: Hurt) -> None:
        ballast, pauses = hurt.line.settings.data / "ballast", chain([2.0], repeat(every))
        while not hurt.stopping.wait(next(pauses)):
            _fill(ballast)
            hurt.stopping.wait(seconds)
            ballast.unlink()

    return harm


def _fill(file: Path) -> None:
    with file.open("ab", buffering=0) as ballast:
        for size in (1 << 20, 4096, 1):
            try:
                while ballast.write(b"\0" * size):
                    pass
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise


@contextmanager
def unread_logs(data: Path) -> Iterator[None]:
    """The parts log into pipes that are full and that nobody reads, as beside a log collector that hangs."""
    logs = data / "logs"
    logs.mkdir(mode=0o700)
    held = []
    for name in ("web", "relay", "worker-1", "worker-2"):
        os.mkfifo(logs / f"{name}.log", 0o600)
        pipe = os.open(logs / f"{name}.log", os.O_RDWR | os.O_NONBLOCK)
        held.append(pipe)
        with open(pipe, "wb", buffering=0, closefd=False) as filled:
            while filled.write(b"." * 4096):
                pass
    try:
        yield
    finally:
        for pipe in held:
            os.close(pipe)


def noisy(every: float) -> Fault:
    """Requests that are refused, each with a line in the log."""

    def harm(hurt: Hurt) -> None:
        forger = Trunk(hurt.stacks[0].url, BASE, "0" * 32, hurt.clock, lambda path, seconds: None)
        while not hurt.stopping.wait(every):
            with suppress(ConnectionError):  # a line that answers nobody shows in the calls
                forger.post(f"{BASE}/voice/answer", {"CallSid": "CA" + "0" * 32})
            forger.close()

    return harm


@contextmanager
def movable_clock(data: Path) -> Iterator[None]:
    """Every process of the line takes its time from a clock that `jumping` moves; Valkey and the callers do not."""
    folder = data / "clock"
    folder.mkdir()
    (folder / OFFSET).write_bytes(struct.pack("d", 0.0))
    (folder / "sitecustomize.py").write_text(WRONG_CLOCK, "utf-8")
    before = os.environ.get("PYTHONPATH")  # noqa: TID251 - the parts get it by the environment
    os.environ["PYTHONPATH"] = str(folder.resolve())  # noqa: TID251
    try:
        yield
    finally:
        del os.environ["PYTHONPATH"]  # noqa: TID251
        if before is not None:
            os.environ["PYTHONPATH"] = before  # noqa: TID251


def jumping(seconds: float) -> Fault:
    """The clock of the line an hour on, right, an hour back, right, five minutes back: each for so long."""

    def harm(hurt: Hurt) -> None:
        for offset in cycle((3600.0, 0.0, -3600.0, 0.0, -300.0, 0.0)):
            if hurt.stopping.wait(seconds):
                break
            _move(hurt, offset)
        _move(hurt, 0.0)

    return harm


def _move(hurt: Hurt, offset: float) -> None:
    with (hurt.line.settings.data / "clock" / OFFSET).open("r+b") as kept:
        kept.write(struct.pack("d", offset))
