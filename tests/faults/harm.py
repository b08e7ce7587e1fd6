"""The faults themselves: real signals to real processes, real commands to the real Valkey."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import redis

from hotline.clock import seeded
from tests.faults.nights import Fault, Hurt

DATABASE = "postgres"
PARTS = ("web", "relay", "worker-1", "worker-2", "valkey")


def nothing(hurt: Hurt) -> None:
    """An undisturbed night, to compare with."""


def killed(names: Sequence[str], every: float, seed: int = 1) -> Fault:
    """`kill -9` of one of the parts, whichever process of it, every so many seconds."""

    def harm(hurt: Hurt) -> None:
        source = seeded(seed, "killed", *names)
        while not hurt.stopping.wait(every):
            name = names[source.randrange(len(names))]
            if name == DATABASE and hurt.postgres:
                hurt.postgres.kill()
                hurt.postgres.start()
            pids = processes(hurt, name)
            if pids:
                with suppress(ProcessLookupError):
                    os.kill(pids[source.randrange(len(pids))], signal.SIGKILL)

    return harm


def frozen(name: str, seconds: float, every: float) -> Fault:
    """A part stopped in its tracks (SIGSTOP) for so long, again and again, and let go (SIGCONT)."""

    def harm(hurt: Hurt) -> None:
        while not hurt.stopping.wait(every):
            pids = processes(hurt, name)
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
            try:
                hurt.stopping.wait(seconds)
            finally:
                for pid in pids:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGCONT)

    return harm


def wiped(every: float) -> Fault:
    """Everything in Redis gone (FLUSHALL): the queue, jobs under way, counters."""

    def harm(hurt: Hurt) -> None:
        while not hurt.stopping.wait(every):
            valkey(hurt).flushall()

    return harm


def refusing(seconds: float, every: float) -> Fault:
    """Redis that answers and writes nothing, as with a full disk: its memory limit lowered to a byte."""

    def harm(hurt: Hurt) -> None:
        while not hurt.stopping.wait(every):
            client = valkey(hurt)
            client.config_set("maxmemory", "1")
            try:
                hurt.stopping.wait(seconds)
            finally:
                client.config_set("maxmemory", "0")

    return harm


def valkey(hurt: Hurt) -> redis.Redis:
    """A client of the line's own Valkey."""
    url = hurt.stacks[0].settings.redis_url
    assert url is not None
    return redis.Redis.from_url(url, protocol=2, socket_timeout=5)


def processes(hurt: Hurt, name: str) -> list[int]:
    """Every process of a part, on any host: the one that was started, and what it started."""
    firsts = [pids[name] for stack in hurt.stacks if name in (pids := stack.supervisor.pids())]
    return [pid for first in firsts for pid in (first, *_children(first))]


def _children(pid: int) -> Iterator[int]:
    for listed in Path("/proc").glob(f"{pid}/task/*/children"):
        with suppress(OSError):
            for child in map(int, listed.read_text().split()):
                yield child
                yield from _children(child)
