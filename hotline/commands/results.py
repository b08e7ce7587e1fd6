"""`hotline results`: the totals with their status word, as a table, as JSON or as CSV."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from hotline.caucus.contest import Contest
from hotline.caucus.equivalents import shown
from hotline.commands.folder import data_option, line_in
from hotline.services import publication
from hotline.services.figures import measure, ranked

STATUS_WORDS = {"unofficial-partial": "unofficial, partial", "unofficial-complete": "unofficial, complete"}


@click.command()
@click.option("--format", "shape", type=click.Choice(("table", "json", "csv")), default="table", show_default=True)
@click.option("--as-of", type=click.IntRange(min=0), metavar="SEQ", help="As the ledger stood after this event.")
@click.option("--include-held", is_flag=True, help="Count reports that are held for review.")
@data_option
def results(shape: str, as_of: int | None, include_held: bool, data: Path | None) -> None:
    """Results with their status word. Held reports are outside the totals unless asked for."""
    with line_in(data) as line:
        document = publication.results(line, as_of, include_held)
        if shape == "json":
            click.echo(json.dumps(document, ensure_ascii=False, indent=1))
        elif shape == "csv":
            click.echo(publication.as_csv(document), nl=False)
        else:
            show(document, line.contest, Console())


def show(document: Mapping[str, Any], contest: Contest, console: Console) -> None:
    """Print the document for reading: what it is, how far it is, and the preferences, the leader first."""
    mark = "[reverse] REHEARSAL [/reverse] " if document.get("rehearsal") else ""
    console.print(f"{mark}[bold]{contest.title}[/bold]  {STATUS_WORDS[document['status']]}", highlight=False)
    console.print(_progress(document), highlight=False)
    console.print(_table(document["totals"], contest))
    if settled := _by_chance(document, contest):
        console.print(settled, highlight=False)
    console.print(f"As of ledger entry {document['as_of']:,}, {document['at']}", style="dim", highlight=False)


def _progress(document: Mapping[str, Any]) -> str:
    precincts = document["precincts"]
    held = "included" if document["held_included"] else "not in these totals"
    parts = [
        f"{precincts['reported']:,} of {precincts['total']:,} reported",
        f"{precincts['held']:,} held ({held})" if precincts["held"] else "",
        f"{precincts['closed']:,} closed" if precincts["closed"] else "",
        f"{precincts['outstanding']:,} outstanding" if precincts["outstanding"] else "",
    ]
    return " · ".join(part for part in parts if part)


def _by_chance(document: Mapping[str, Any], contest: Contest) -> str:
    """How many results chance settled; "" when none."""
    count = sum(len(area["chance"]) for area in document["counties"].values())
    sites = f"{count:,} {'site' if count == 1 else 'sites'}"
    return f"{sites} settled by chance ({contest.rules.chance}), recorded as the chair said" if count else ""


def _table(totals: Mapping[str, Mapping[str, Any]], contest: Contest) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="bold", show_footer=True)
    sums = {column: sum(row[column] for row in totals.values()) for column in ("first", "final", "delegates")}
    whole = sum((measure(row) for row in totals.values()), Fraction(0))
    table.add_column("Preference", "All")
    for column, name in (("first", "First"), ("final", "Final"), ("delegates", "Delegates")):
        table.add_column(name, f"{sums[column]:,}", justify="right")
    if contest.has_equivalents:
        table.add_column("SDE", shown(whole, 4), justify="right")
    table.add_column("Share", "", justify="right")
    for key, row in ranked(totals):
        share = shown(100 * measure(row) / whole, 1) + " %" if whole else "–"
        counts = (f"{row[column]:,}" for column in ("first", "final", "delegates"))
        equivalents = (row["sde"],) if contest.has_equivalents else ()
        table.add_row(contest.by_key[key].name, *counts, *equivalents, share)
    return table
