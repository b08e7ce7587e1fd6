"""The jobs, queued by name. Each is about ten lines and calls one service; running one twice is running it once."""

from __future__ import annotations

from functools import cache

from hotline import settings
from hotline.services import outgoing, tabulation
from hotline.services.line import Line, open_line
from hotline.store.outbox import Job
from hotline.telephony.outbound import Carrier
from workers.journal import told_by

TABULATE = "workers.jobs.tabulate"
CALL_BACK = "workers.jobs.call_back"
NOTIFY = "workers.jobs.notify"


@cache
def line() -> Line:
    """The line this process works for, opened once: the contest is read and checked only here."""
    return open_line(settings.load())


@cache
def carrier() -> Carrier | None:
    """The carrier this process calls and texts by; None where the line has no number of its own."""
    return outgoing.carrier_of(line())


def _ours() -> Line:
    """`line`, looked up when a job runs."""
    return line()


def queued_as(job: Job) -> tuple[str, str, list[str]]:
    """The queue, the function and its payload for a row of the outbox."""
    return ("notify", NOTIFY, [job.job, job.precinct]) if job.is_notice else ("tabulate", TABULATE, [job.precinct])


@told_by(_ours)
def call_back(request: int) -> str:
    """Call a number on file; says what came of it. Without a number of ours it goes on waiting."""
    with_carrier = carrier()
    return outgoing.call_back(line(), with_carrier, request) if with_carrier else "waiting"


@told_by(_ours)
def notify(job: str, precinct: str) -> int:
    """Text the precinct's numbers on file; how many were told."""
    return outgoing.tell(line(), carrier(), job, precinct)


@told_by(_ours)
def tabulate(precinct: str) -> str:
    """Work one precinct out again from its ledger; says whether it is counted, held, closed or outstanding."""
    return tabulation.tabulate(line(), precinct)
