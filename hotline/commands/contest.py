"""`hotline contest`: load a contest folder, list what is loaded, say which one the line is for, check a folder."""

from __future__ import annotations

from pathlib import Path

import click

from hotline.caucus.contest import Contest
from hotline.caucus.folder import chairs, doubts, read_contest
from hotline.commands.folder import data_option, roster_in
from hotline.store.roster import read_folder


@click.group()
def contest() -> None:
    """Load, list, activate or check a contest folder."""


@contest.command()
@click.argument("path", type=click.Path(path_type=Path))
@data_option
def load(path: Path, data: Path | None) -> None:
    """Check the folder at PATH and keep it whole; the first one loaded is the one the line is for."""
    with roster_in(data) as roster:
        click.echo(f"loaded {_described(roster.load_folder(path))}")
    _warn(path)


@contest.command(name="list")
@data_option
def list_(data: Path | None) -> None:
    """Every contest that is loaded; * marks the one the line is for."""
    with roster_in(data) as roster:
        for each in roster.list_contests():
            mark = "*" if each.is_active else " "
            click.echo(
                f"{mark} {each.name:<20} {each.precincts:>6,} sites  loaded {each.loaded_at}  {each.digest[:12]}"
            )


@contest.command()
@click.argument("name")
@data_option
def activate(name: str, data: Path | None) -> None:
    """Make NAME the contest the line is for; web, workers and relay take it up when they are started again."""
    with roster_in(data) as roster:
        roster.activate(name)
        click.echo(f"the line is for {name} once it is started again")


@contest.command()
@click.argument("path", type=click.Path(path_type=Path))
def check(path: Path) -> None:
    """List every bad row of the folder at PATH by file, line and column; load nothing."""
    files = read_folder(path)
    click.echo(f"{path} is sound: {_described(read_contest(files))}, {len(chairs(files)):,} numbers on file")
    _warn(path)


def _warn(path: Path) -> None:
    for doubt in doubts(read_folder(path)):
        click.echo(f"warning: {doubt}", err=True)


def _described(contest: Contest) -> str:
    satellites = sum(precinct.is_satellite for precinct in contest.precincts.values())
    precincts = len(contest.precincts) - satellites
    return (
        f"{contest.name} ({contest.title}): {precincts:,} precincts in {len(contest.counties)} counties, "
        f"{satellites:,} satellites, {len(contest.preferences)} preferences"
    )
