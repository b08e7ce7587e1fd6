"""`python -m workers worker|relay`: what `hotline worker` and `hotline relay` become."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from itertools import count

from hotline import logs
from hotline.errors import HotlineError, SetupError
from hotline.settings import Settings
from hotline.store import queues
from workers import jobs, relay, sealer, watch

log = logging.getLogger("workers")
AGAIN_SECONDS = 1.0


def work() -> None:
    """Take jobs until told to stop. Losing Redis is waited out: the outbox keeps what it would have brought."""
    line = jobs.line()
    url = queue_of(line.settings)
    for life in count(1):
        worker = None
        try:
            queues.check_server(queues.client(url))
            worker = queues.worker(url, f"worker-{socket.gethostname()}-{os.getpid()}-{life}")
            worker.work(logging_level="WARNING")
        except queues.Unreachable as error:
            log.warning("Redis does not answer (%s); trying again", error)
        if worker is not None and worker.was_told_to_stop:
            return
        if worker is not None and worker.is_out_of_memory:
            log.error("a job found no memory; this process ends, for another to take its place")
            raise SystemExit(1)
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_DFL)  # no job is in hand: the next signal may simply end us
        line.clock.sleep(AGAIN_SECONDS)


def carry() -> None:
    """Relay, sweep, seal and watch until told to stop. What does not wait for Redis has a thread of its own."""
    stopping = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopping.set())
    line = jobs.line()
    url = queue_of(line.settings)
    beside = [
        threading.Thread(target=sealer.run, args=(line, url, stopping), name="sealer"),
        threading.Thread(target=watch.run, args=(line, stopping), name="watch"),
        threading.Thread(target=watch.tell, args=(line, stopping), name="pager"),
    ]
    for thread in beside:
        thread.start()
    try:
        relay.run(line, url, f"relay-{socket.gethostname()}", stopping)
    finally:
        stopping.set()
        for thread in beside:
            thread.join()


def queue_of(settings: Settings) -> str:
    """Where the queue is. Raises SetupError when nobody said."""
    if settings.redis_url is None:
        raise SetupError("Not set: REDIS_URL. The queue is how reports reach the workers")
    return settings.redis_url


PARTS = {"worker": work, "relay": carry}


def main(arguments: list[str]) -> int:
    """Run one part in this process; returns its exit code."""
    logs.begin(logging.INFO)
    if len(arguments) != 1 or arguments[0] not in PARTS:
        print("usage: python -m workers worker|relay", file=sys.stderr)  # noqa: T201 - the terminal asked
        return 2
    try:
        PARTS[arguments[0]]()
    except HotlineError as error:
        print(f"hotline {arguments[0]}: {error}", file=sys.stderr)  # noqa: T201 - one line for whoever started it
        return 2
    return 0
