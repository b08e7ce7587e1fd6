"""`python -m workers worker|relay`: what `hotline worker` and `hotline relay` become."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from itertools import count

from hotline.errors import HotlineError
from hotline.store import queues
from workers import jobs, relay

log = logging.getLogger("workers")
AGAIN_SECONDS = 1.0


def work(name: str) -> None:
    """Take jobs until told to stop. Losing Redis is waited out: the outbox keeps what it would have brought."""
    line = jobs.line()
    assert line.settings.redis_url is not None
    for life in count(1):
        worker = None
        try:
            queues.check_server(queues.client(line.settings.redis_url))
            worker = queues.worker(line.settings.redis_url, f"{name}-{life}")
            worker.work(logging_level="WARNING")
        except queues.Unreachable as error:
            log.warning("Redis does not answer (%s); trying again", error)
        if worker is not None and worker.was_told_to_stop:
            return
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_DFL)  # no job is in hand: the next signal may simply end us
        line.clock.sleep(AGAIN_SECONDS)


def carry(name: str) -> None:
    """Relay and sweep until told to stop."""
    stopping = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopping.set())
    relay.run(jobs.line(), name, stopping)


def main(arguments: list[str]) -> int:
    """Run one part in this process; returns its exit code."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    parts = {"worker": work, "relay": carry}
    if len(arguments) != 1 or arguments[0] not in parts:
        print("usage: python -m workers worker|relay", file=sys.stderr)  # noqa: T201 - the terminal asked
        return 2
    try:
        parts[arguments[0]](f"{arguments[0]}-{socket.gethostname()}-{os.getpid()}")
    except HotlineError as error:
        print(f"hotline {arguments[0]}: {error}", file=sys.stderr)  # noqa: T201 - one line for whoever started it
        return 2
    return 0
