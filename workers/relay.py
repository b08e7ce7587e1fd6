"""Hands the outbox to the queue: every report's job, at least once; and once a second a call-back that is due.

The outbox is written with the report, in one transaction; this loop finds the rows and queues their jobs, and queues
again what nobody acknowledged. It may die or run twice at any point: a job's id is its outbox row's, so queueing it
twice is queueing it once, and a job that runs twice does the same as one that ran once.
"""

from __future__ import annotations

import logging
import threading

from hotline.errors import NotRecorded
from hotline.services.line import Line
from hotline.store import queues
from hotline.store.leading import Leading
from hotline.store.outbox import Outbox
from workers import sweep
from workers.calling import Calling
from workers.jobs import queued_as

BATCH = 200
IDLE_SECONDS = 0.2
BUSY_SECONDS = 0.02
HOUSEKEEPING_SECONDS = 1.0
LONGEST_WAIT = 5.0

log = logging.getLogger(__name__)


def relay(outbox: Outbox, connection: queues.Client) -> int:
    """Queue the jobs of rows that were never queued, oldest first, up to `BATCH`; how many there were.

    A row is marked only after its job is in the queue: dying in between costs a second try, not a job.
    """
    jobs = outbox.pending(BATCH)
    for each in jobs:
        queue, function, payload = queued_as(each)
        queues.place(connection, queue, each.job, function, payload)
    outbox.mark_relayed(jobs)
    return len(jobs)


def run(line: Line, url: str, name: str, stopping: threading.Event) -> None:
    """Relay until `stopping`. While Redis or the database is away, wait a little longer each time; rows stay put.

    Of several relays, on one machine or many, one works; another takes over within a second or so of its end.
    """
    connection, retries = queues.client(url), queues.Retries(url, name)
    leading = Leading(line.ledger.engine, "relay")
    calling = Calling(line, connection)
    wait, kept_at = 0.0, 0.0
    while not stopping.wait(wait):
        try:
            if line.clock.monotonic() - kept_at >= HOUSEKEEPING_SECONDS:
                if not leading.is_ours():
                    wait = HOUSEKEEPING_SECONDS
                    continue
                retries.run()
                sweep.sweep(line.outbox, connection, line.clock)
                calling.run()
                kept_at = line.clock.monotonic()
            wait = BUSY_SECONDS if relay(line.outbox, connection) else IDLE_SECONDS
        except (queues.Unreachable, NotRecorded) as error:
            wait = min(max(wait, IDLE_SECONDS) * 2, LONGEST_WAIT)
            log.warning("cannot relay (%s); the outbox keeps its rows, next try in %.1f s", error, wait)
    leading.give_up()
