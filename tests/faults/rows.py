"""A row of the table for each fault: held, run elsewhere, or said why not."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from math import ceil
from pathlib import Path

from hotline.practice.night import quantile
from tests.faults.cases import Absent, Case, Elsewhere
from tests.faults.judging import Told
from tests.faults.nights import night
from tests.postgres import Postgres

VERSIONS = 5
"""Reports a precinct gives, at least: the first, and four corrections. The number is odd: see `callers`."""
MOST_PRECINCTS = 1700
COLUMNS = ("fault", "confirmed", "lost", "doubled", "calls cut off", "p95 ms", "longest ms", "jobs p50/p99 s", "s", "")


def row(case: Case | Elsewhere | Absent, reports: int, seed: int) -> tuple[list[str], bool]:
    """The cells of a fault's row, and whether everything held."""
    title = f"{case.name}: {case.what}"
    match case:
        case Absent():
            return [title, *[""] * 8, f"not applicable: {case.why}"], True
        case Elsewhere():
            said, holds = _tested(case.tests)
            return [title, *[""] * 8, said], holds
        case Case() if not case.needs():
            return [title, *[""] * 8, "not run: this machine does not allow it"], True
    told = held(case, reports, seed)
    broken = broken_promises(case, told)
    jobs = "/".join(f"{quantile(told.recovered, share):.1f}" for share in (0.5, 0.99)) if told.recovered else ""
    counts = (told.confirmed, told.lost, told.doubled, told.broken, told.p95, told.slowest)
    said = "BROKEN: " + "; ".join(broken) if broken else "holds: " + "; ".join(_kept(case, told))
    verdict = f"{said}; carrier's errors {told.errors}" if told.errors else said
    return [title, *(f"{each:,.0f}" for each in counts), jobs, f"{told.seconds:.0f}", verdict], not broken


def held(case: Case, reports: int, seed: int = 1) -> Told:
    """One night with the fault in it, in a folder of its own."""
    wanted = max(VERSIONS, ceil(reports / MOST_PRECINCTS))
    versions = 1 if case.is_whole else wanted + 1 - wanted % 2
    precincts = None if case.is_whole else ceil(reports / versions)
    postgres = Postgres() if case.setting.hosts > 1 else None
    try:
        with tempfile.TemporaryDirectory(prefix="hotline-fault-") as folder:
            data = Path(folder) / "line"
            return night(data, case.setting, precincts=precincts, versions=versions, seed=seed, postgres=postgres)
    finally:
        if postgres:
            postgres.remove()


def broken_promises(case: Case, told: Told) -> list[str]:
    """What did not hold, in words."""
    return [*told.broken_promises, *(f"not: {words}" for words, holds in case.promises if not holds(told))]


def _kept(case: Case, told: Told) -> list[str]:
    more = [words for words, _ in case.promises]
    counts = {
        "holds": told.holds,
        "persons": told.persons,
        "jobs cut short": len(told.recovered),
        "deaths": told.deaths,
    }
    return [*more, *(f"{count} {name}" for name, count in counts.items() if count)] or ["nothing lost"]


def _tested(places: Sequence[str]) -> tuple[str, bool]:
    """What pytest said of these tests: how many passed."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *places]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
    return ("holds: " if done.returncode == 0 else "BROKEN: ") + said[0].strip("= "), done.returncode == 0
