"""`python -m tests.faults [--precincts N] [--nights N] [NAME …]`: every fault on whole nights, as a table.

Each case is repeated with other seeds until so many nights are over; the figures of a row are summed, `p95` is the
worst. Exit 1 when a promise broke.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from tests.faults.cases import CASES, Case
from tests.faults.nights import Told, night
from tests.postgres import Postgres

COLUMNS = ("fault", "confirmed", "lost", "doubled", "unheard", "calls cut off", "p95 ms", "totals", "seal", "s")


@click.command()
@click.option("--precincts", default=200, show_default=True, help="Reports a night.")
@click.option("--nights", default=1, show_default=True, help="Nights a fault.")
@click.argument("names", nargs=-1)
def main(precincts: int, nights: int, names: Sequence[str]) -> None:
    """Hold the nights and print the table."""
    table, broken = Table(*COLUMNS), 0
    for case in (case for case in CASES if not names or case.name in names):
        told = []
        for seed in range(1, nights + 1):
            with tempfile.TemporaryDirectory(prefix="hotline-fault-") as folder:
                told.append(_held(case, Path(folder) / "line", precincts, seed))
            click.echo(f"{case.name} {seed}: {told[-1]}", err=True)
        broken += not all(each.holds for each in told)
        table.add_row(*_row(case, told))
    Console(width=160).print(table)
    sys.exit(1 if broken else 0)


def _held(case: Case, data: Path, precincts: int, seed: int) -> Told:
    if case.hosts == 1:
        return night(data, case.fault, precincts=precincts, seed=seed)
    server = Postgres()
    try:
        return night(data, case.fault, precincts=precincts, seed=seed, postgres=server)
    finally:
        server.remove()


def _row(case: Case, told: Sequence[Told]) -> list[str]:
    sums = [sum(getattr(each, name) for each in told) for name in ("confirmed", "lost", "doubled", "unheard", "failed")]
    agreed = ["right" if all(getattr(each, name) for each in told) else "WRONG" for name in ("totals", "sealed")]
    worst, seconds = max(each.p95 for each in told), sum(each.seconds for each in told)
    return [f"{case.name}: {case.what}", *(f"{each:,}" for each in sums), f"{worst:.0f}", *agreed, f"{seconds:.0f}"]


if __name__ == "__main__":
    main()
