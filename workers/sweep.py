"""Queues again what was given to the queue and never acknowledged: Redis was wiped, or a worker died with the job."""

from __future__ import annotations

import logging

from hotline.clock import Clock
from hotline.store import queues
from hotline.store.outbox import Outbox
from workers.jobs import queued_as

BATCH = 200

log = logging.getLogger(__name__)


def sweep(outbox: Outbox, connection: queues.Client, clock: Clock) -> int:
    """Queue stale rows again, oldest first, up to `BATCH`; how many jobs were really lost.

    A job that still waits in line or is being worked on stays as it is. Either way the row is looked at again only
    after the same time again. One that used up its tries is put aside: it would fail for ever, and a person must look.
    """
    stale = outbox.stale(limit=BATCH)
    lost = []
    for each in stale:
        if error := queues.given_up(connection, each.job):
            log.error("put aside: job %s failed every time it was tried: %s", each.job, error)
            outbox.bury(each, error)
            queues.forget(connection, each.job)  # what is tried again later is a new job
            continue
        queue, function, payload = queued_as(each)
        if queues.replace(connection, queue, each.job, function, payload, clock.now()) == "queued":
            lost.append(each.job)
    outbox.mark_relayed(stale)
    outbox.settle()
    if lost:
        log.warning("queued again %d jobs that were lost, the first is %s", len(lost), lost[0])
    return len(lost)
