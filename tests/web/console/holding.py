"""A real report of 2020 that is held, on a line whose workers are up to date when asked."""

from __future__ import annotations

from hotline.services.line import Line
from hotline.services.tabulation import tabulate
from tests.services.reports import confirm, iowa

INDIANOLA_2 = "15338"
"""Warren County, Indianola 2: two groups of the first alignment stand one column over, as first published."""
MOVED = {"first.Patrick": 0, "first.Sanders": 41, "first.Steyer": 0, "first.Warren": 50}
"""What puts them where they belong."""


def work(line: Line) -> None:
    """Do what the workers would: every job that is open."""
    for job in line.outbox.pending():
        tabulate(line, job.precinct)


def held(line: Line, code: str = INDIANOLA_2) -> None:
    """The report as it was keyed, and looked at."""
    confirm(line, code, iowa(line)[code])
    work(line)
