"""The jobs, queued by name. Each is about ten lines and calls one service; running one twice is running it once."""

from __future__ import annotations

from functools import cache

from hotline import settings
from hotline.services import tabulation
from hotline.services.line import Line, open_line

TABULATE = "workers.jobs.tabulate"


@cache
def line() -> Line:
    """The line this process works for, opened once: the contest is read and checked only here."""
    return open_line(settings.load())


def tabulate(precinct: str) -> str:
    """Work one precinct out again from its ledger; says whether it is counted, held, closed or outstanding."""
    return tabulation.tabulate(line(), precinct)
