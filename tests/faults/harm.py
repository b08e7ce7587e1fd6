"""Faults of processes and of Redis: real signals to real processes, real commands to the real Valkey."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from urllib.request import urlopen

import redis

from hotline.clock import seeded
from hotline.events.decisions import SiteClosed
from tests.faults.nights import Fault, Hurt

DATABASE = "postgres"
WORKERS = ("worker-1", "worker-2")
PARTS = ("web", "relay", *WORKERS, "valkey")
SPARE_MEMORY = 256 * 1024
LOOK_EVERY = 0.1
"""Seconds between two looks at what workers are doing: looked at all the time, they would do nothing."""


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
                _signal(pids[source.randrange(len(pids))], signal.SIGKILL)

    return harm


def killed_at_work(every: float) -> Fault:
    """`kill -9` of whole workers that have a job in hand: all are stopped, looked at, and let go when they have none.

    One that has taken a job out of the queue and not begun it is not to be told from its fellow: then both are killed.
    """

    def harm(hurt: Hurt) -> None:
        client = valkey(hurt)
        while not hurt.stopping.wait(every):
            while not hurt.stopping.wait(LOOK_EVERY) and not _cut_short(hurt, client):
                pass

    return harm


def _cut_short(hurt: Hurt, client: redis.Redis) -> bool:
    pids = [pid for name in WORKERS for pid in processes(hurt, name)[:1]]
    for pid in pids:
        _signal(pid, signal.SIGSTOP)
    begun = {pid: jobs for pid in pids if (jobs := list(_begun(client, pid)))}
    taken = [] if begun else [each.job for each in hurt.line.outbox.stale(seconds=0) if _is_taken(client, each.job)]
    for job in (*taken, *(job for jobs in begun.values() for job in jobs)):
        hurt.cut_short[job] = hurt.clock.now()
    for pid in pids:
        _signal(pid, signal.SIGKILL if taken or pid in begun else signal.SIGCONT)
    return bool(taken or begun)


def _begun(client: redis.Redis, pid: int) -> Iterator[str]:
    """The jobs a worker is doing."""
    for key in client.scan_iter(f"rq:worker:*-{pid}-*:executions", count=10_000):
        for kept in client.smembers(key):
            yield kept.decode().rpartition(":")[0]


def _is_taken(client: redis.Redis, job: str) -> bool:
    """Whether a job that should wait in line does not."""
    return client.hget(f"rq:job:{job}", "status") == b"queued" and client.lpos("rq:queue:tabulate", job) is None


def starved(every: float) -> Fault:
    """A worker that gets no more memory (RLIMIT_AS): whatever it does next fails, and so does it."""

    def harm(hurt: Hurt) -> None:
        names = cycle(WORKERS)
        while not hurt.stopping.wait(every):
            for pid in processes(hurt, next(names)):
                with suppress(ProcessLookupError, FileNotFoundError):
                    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[0])
                    most = pages * resource.getpagesize() + SPARE_MEMORY
                    resource.prlimit(pid, resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))

    return harm


def restarted(names: Sequence[str], every: float) -> Fault:
    """Each part in turn asked to end (SIGTERM), as for a new release, and started again by its supervisor.

    The next is asked so many seconds later, and not before the line answers again.
    """

    def harm(hurt: Hurt) -> None:
        turns = cycle(names)
        while not hurt.stopping.wait(every):
            if all(_answers(stack.url) for stack in hurt.stacks):
                name = next(turns)
                for pid in [pids[name] for stack in hurt.stacks if name in (pids := stack.supervisor.pids())]:
                    _signal(pid, signal.SIGTERM)

    return harm


def _answers(url: str) -> bool:
    try:
        with urlopen(f"{url}/healthz", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def frozen(name: str, seconds: Sequence[float], every: float) -> Fault:
    """A part stopped in its tracks (SIGSTOP) for so long, again and again, and let go (SIGCONT)."""

    def harm(hurt: Hurt) -> None:
        spans = cycle(seconds)
        while not hurt.stopping.wait(every):
            pids = processes(hurt, name)
            for pid in pids:
                _signal(pid, signal.SIGSTOP)
            try:
                hurt.stopping.wait(next(spans))
            finally:
                for pid in pids:
                    _signal(pid, signal.SIGCONT)

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


def poisoned(count: int) -> Fault:
    """So many jobs at once that fail every time: sites closed that the contest does not have."""

    def harm(hurt: Hurt) -> None:
        hurt.stopping.wait(0.5)
        hurt.line.ledger.append([SiteClosed(f"poison-{n}", "no such site", "the fault") for n in range(count)])

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


def _signal(pid: int, which: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, which)


def _children(pid: int) -> Iterator[int]:
    for listed in Path("/proc").glob(f"{pid}/task/*/children"):
        with suppress(OSError):
            for child in map(int, listed.read_text().split()):
                yield child
                yield from _children(child)
