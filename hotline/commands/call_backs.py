"""`hotline call-backs`: the numbers on file that wait to be called; and how the practice phone comes to be called."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from hotline import settings
from hotline.errors import SetupError
from hotline.services.line import Line, open_line
from hotline.settings import Settings


@click.command("call-backs")
@click.option("--json", "as_json", is_flag=True, help="As a JSON list.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The line's data folder.  [default: HOTLINE_DATA or ./hotline-data]",
)
def call_backs(as_json: bool, data: Path | None) -> None:
    """List the call-backs that wait: for which precinct, since when and why.

    A line without a number of its own (HOTLINE_NUMBERS) calls nobody; take such a call with hotline phone --answer.
    """
    with _line(settings.load(HOTLINE_DATA=data)) as line:
        waiting = line.call_backs.waiting()
        if as_json:
            click.echo(json.dumps([vars(each) for each in waiting]))
            return
        for each in waiting:
            site = line.contest.precincts.get(each.precinct)
            to_verify = f", version {each.version} to be verified" if each.version else ""
            name = site.spoken if site else "no precinct of this contest"
            click.echo(f"{each.requested_at}  {each.precinct}  {name}: {each.why}{to_verify}")
        click.echo(f"{len(waiting)} waiting", err=True)


def take(found: Settings, number: str) -> int:
    """Take the call-back that is due for a number on file, in the carrier's place; its request.

    Raises SetupError when a carrier makes this line's calls, or when none is due for this number.
    """
    if found.numbers:
        raise SetupError("HOTLINE_NUMBERS is set: this line's call-backs are made by the carrier")
    with _line(found) as line:
        on_file = line.roster.on_file(number)
        for each in line.call_backs.due(limit=1000):
            if each.precinct in on_file and line.call_backs.claim(each.id, number):
                return each.id
    raise SetupError(f"no call-back is due for {number}: see hotline call-backs, and that the number is on file")


@contextmanager
def _line(found: Settings) -> Iterator[Line]:
    line = open_line(found)
    try:
        yield line
    finally:
        line.ledger.engine.dispose()
