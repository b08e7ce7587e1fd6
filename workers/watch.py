"""Watches the line every few seconds, and tells people of what it raised. Of several relays one watches.

Looking and telling have a thread each: a carrier that takes its time holds up no alert.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from hotline.errors import NotRecorded
from hotline.services.line import Line
from hotline.services.paging import Pager
from hotline.services.watching import Watch
from hotline.store.leading import Leading
from workers import jobs

EVERY_SECONDS = 5.0

log = logging.getLogger(__name__)


def run(line: Line, stopping: threading.Event, every: float = EVERY_SECONDS) -> None:
    """Look, every so many seconds, until `stopping`."""
    watch, leading = Watch(line), Leading(line.ledger.engine, "watch")
    while not stopping.wait(every):
        if leading.is_ours():
            _insist(watch.look)
    leading.give_up()


def tell(line: Line, stopping: threading.Event, every: float = EVERY_SECONDS) -> None:
    """Tell people, every so many seconds, until `stopping`. Nobody leads: an alert is told by whoever takes it, and
    that the database is away, which knows who leads, by each."""
    pager = Pager(line, jobs.carrier())
    while not stopping.wait(every):
        _insist(pager.run)


def _insist(work: Callable[[], None]) -> None:
    """Whatever goes wrong in one round is logged: there must be a next one."""
    try:
        work()
    except NotRecorded as error:
        log.warning("cannot look just now (%s)", error)
    except Exception:
        log.exception("a look failed; the next one follows")
