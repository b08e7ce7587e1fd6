"""`hotline checks`: every finding, of the line's reports or of a file of worksheets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from hotline.caucus.worksheets import read_worksheets
from hotline.commands import named_contest
from hotline.commands.folder import data_option, line_in
from hotline.errors import SetupError
from hotline.services import publication


@click.command()
@click.option(
    "--worksheets",
    type=click.Path(path_type=Path),
    metavar="FILE.csv",
    help="Check this file of published figures, early ballots already in them, not the line.",
)
@click.option("--contest", default=named_contest.DEFAULT, show_default=True, help="The contest of the file.")
@click.option("--json", "as_json", is_flag=True, help="A JSON list instead of a table.")
@data_option
def checks(worksheets: Path | None, contest: str, as_json: bool, data: Path | None) -> None:
    """Every finding, by code and precinct; a tie settled by chance is told with the groups it went to.

    Of the line's reports early ballots are counted in, and duplicates are those keyed alike. A file holds published
    figures: early ballots are in them already and are not added again, and duplicates are those published alike.
    """
    if worksheets is not None:
        found = _of_file(worksheets, contest)
    else:
        with line_in(data) as line:
            found = publication.findings(line)
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        show(found, Console())


def show(found: Sequence[dict[str, Any]], console: Console) -> None:
    """Print the findings: how many of each code, then each in its sentence, broken rules before notices."""
    hard = [row for row in found if row["severity"] == "hard"]
    reports = {row["precinct"] for row in hard if row["precinct"]}
    console.print(
        f"{len(hard):,} broken rules at {len(reports):,} sites, {len(found) - len(hard):,} notices", highlight=False
    )
    if not found:
        return
    counts = Table(show_edge=False, pad_edge=False, header_style="bold")
    counts.add_column("Code")
    counts.add_column("Severity")
    counts.add_column("Findings", justify="right")
    tally = Counter((row["severity"], row["code"]) for row in found)
    for (severity, code), count in sorted(tally.items()):
        counts.add_row(code, severity, f"{count:,}")
    console.print(counts)
    for row in sorted(found, key=lambda row: row["severity"]):
        console.print(f"[bold]{row['code']}[/bold] {row['precinct'] or row['county']}", highlight=False)
        console.print(f"  {row['message']}", highlight=False, markup=False)


def _of_file(file: Path, contest_name: str) -> list[dict[str, Any]]:
    contest = named_contest.read(contest_name)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise SetupError(f"cannot read {file}: {error.strerror}") from error
    return publication.findings_of_sheets(contest, read_worksheets(contest, content, file.name))
