"""Seals the ledger, a second behind the calls, and has each head written down outside the database."""

from __future__ import annotations

import logging
import threading

from hotline.errors import NotRecorded
from hotline.services.line import Line
from hotline.services.sealing import seals_of
from hotline.store import heads, queues
from hotline.store.leading import Leading
from hotline.store.seals import MOST, Seals

EVERY_SECONDS = 0.5

log = logging.getLogger(__name__)


def run(line: Line, url: str, stopping: threading.Event) -> None:
    """Seal until `stopping`, and once more then: what was said last is sealed too.

    A database that cannot just now, a second sealer, or a place that cannot be written is logged and tried again.
    """
    seals = seals_of(line)
    connection, leading = queues.client(url), Leading(line.ledger.engine, "sealer")
    while not stopping.wait(EVERY_SECONDS):
        if leading.is_ours():
            seal(line, seals, connection)
    if leading.is_ours():
        seal(line, seals, connection)
    leading.give_up()


def seal(line: Line, seals: Seals, connection: queues.Client) -> int:
    """Seal everything there is now; how many events. What comes meanwhile is for the next time."""
    sealed = 0
    try:
        while count := seals.seal():
            sealed += count
            head = seals.head()
            assert head is not None, "a link was just made"
            heads.keep(head, line.settings.seal_folders, connection)
            if count < MOST:
                break
    except NotRecorded as error:
        log.warning("cannot seal just now (%s)", error)
    except heads.HeadNotKept as error:
        log.error("%s", error)
    return sealed
