"""`python -m tests.faults [--reports N] [NAME …]`: every fault, as a table.

A night with a fault goes on until so many reports are confirmed. Exit 1 when a promise broke.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table

from tests.faults.cases import ABSENT, ELSEWHERE, NIGHTS
from tests.faults.rows import COLUMNS, row

CASES = (*NIGHTS, *ELSEWHERE, *ABSENT)


@click.command()
@click.option("--reports", default=200, show_default=True, help="Confirmed reports a fault, at least.")
@click.option("--seed", default=1, show_default=True)
@click.argument("names", nargs=-1, type=click.Choice([case.name for case in CASES]))
def main(reports: int, seed: int, names: Sequence[str]) -> None:
    """Hold the nights and print the table."""
    table, broken = Table(*COLUMNS, show_lines=True), 0
    for case in (case for case in CASES if not names or case.name in names):
        cells, holds = row(case, reports, seed)
        broken += not holds
        table.add_row(*cells)
        click.echo(" | ".join(cells), err=True)
    Console(width=200).print(table)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
