"""One line in the log for each job: what it was about, what came of it and how long it took.

A job about something a caller reported names their call, so that the call's lines in the web part's log and this one
are found together. A job that fails is told by the queue, with its traceback.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from rq import get_current_job

from hotline.logs import told
from hotline.services.line import Line

Given = ParamSpec("Given")
Came = TypeVar("Came", str, int)

log = logging.getLogger(__name__)


def told_by(line: Callable[[], Line]) -> Callable[[Callable[Given, Came]], Callable[Given, Came]]:
    """Has a job tell what came of it. `line` is what the process works for, asked for only then."""

    def wrap(job: Callable[Given, Came]) -> Callable[Given, Came]:
        @functools.wraps(job)
        def run(*args: Given.args, **kwargs: Given.kwargs) -> Came:
            began = line().clock.monotonic()
            came = job(*args, **kwargs)
            seconds = line().clock.monotonic() - began
            name = _name()
            about = told(
                job.__name__, job=name or args[0], call=call_of(line(), name), came=came, ms=round(seconds * 1000)
            )
            log.info("%s", about)
            return came

        return run

    return wrap


def call_of(line: Line, name: str) -> str | None:
    """The call whose event gave out the job of this name; None for one that staff gave out, or nothing recorded did.

    Jobs of the outbox end in their event's place in the ledger.
    """
    kind, _, rest = name.partition("-")
    seq = rest.rpartition("-")[2]
    if kind not in ("tab", "note") or not seq.isdigit():
        return None
    calls = [each.call for each in line.ledger.events(int(seq) - 1, int(seq))]
    return calls[0] or None if calls else None


def _name() -> str:
    """The name of the job this process works on; "" outside of any."""
    current = get_current_job()
    return current.id if current is not None else ""
