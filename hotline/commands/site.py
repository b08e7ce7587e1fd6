"""`hotline site close` and `site reopen`: a site that will not report, e.g. because it did not convene."""

from __future__ import annotations

import getpass
from pathlib import Path

import click

from hotline.commands.folder import data_option, line_in
from hotline.errors import SetupError
from hotline.events.decisions import SiteClosed, SiteReopened
from hotline.services.line import Line


@click.group()
def site() -> None:
    """Close or reopen a precinct or satellite site."""


@site.command()
@click.argument("code")
@click.option("--why", required=True, help='The reason, e.g. "did not convene".')
@data_option
def close(code: str, why: str, data: Path | None) -> None:
    """Close the site CODE: it counts as done, and its pool can be complete."""
    if not why.strip():
        raise SetupError("--why: a closed site needs a reason")
    with line_in(data) as line:
        _check(line, code)
        standing = line.ledger.standing(code)
        if standing.current is not None:
            raise SetupError(f"{code} has reported (version {standing.current[1].version}); reject the report first")
        line.ledger.append([SiteClosed(code, why.strip(), getpass.getuser())])
        click.echo(f"{_named(line, code)} is closed: {why.strip()}")


@site.command()
@click.argument("code")
@data_option
def reopen(code: str, data: Path | None) -> None:
    """Reopen the site CODE: it is outstanding again."""
    with line_in(data) as line:
        _check(line, code)
        if line.ledger.standing(code).closed is None:
            raise SetupError(f"{code} is not closed")
        line.ledger.append([SiteReopened(code, getpass.getuser())])
        click.echo(f"{_named(line, code)} is open again")


def _check(line: Line, code: str) -> None:
    if code not in line.contest.precincts:
        raise SetupError(f"{code} is no precinct of {line.contest.name}")


def _named(line: Line, code: str) -> str:
    precinct = line.contest.precincts[code]
    return f"{precinct.county}, {precinct.name} ({code})"
