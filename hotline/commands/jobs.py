"""`hotline jobs`: what the workers could not do, tried again; results worked out afresh from the ledger."""

from __future__ import annotations

from pathlib import Path

import click

from hotline.commands.folder import data_option, line_in


@click.group()
def jobs() -> None:
    """Jobs that failed every time, and results worked out afresh."""


@jobs.command("list")
@data_option
def listed(data: Path | None) -> None:
    """List the jobs put aside: each failed every time it was tried, and waits for a person."""
    with line_in(data) as line:
        dead = line.outbox.dead()
    for each in dead:
        click.echo(f"{each.dead_at}  {each.job.precinct}  {each.job.job}  {each.error}")
    click.echo(f"{len(dead)} jobs are put aside" + ("; hotline jobs retry has them tried again" if dead else ""))


@jobs.command()
@click.argument("precinct", required=False)
@data_option
def retry(precinct: str | None, data: Path | None) -> None:
    """Have the jobs put aside, or those of one PRECINCT, tried again."""
    with line_in(data) as line:
        click.echo(f"{line.outbox.revive(precinct)} jobs are tried again")


@jobs.command()
@click.argument("precinct", required=False)
@data_option
def rebuild(precinct: str | None, data: Path | None) -> None:
    """Have every result, or that of one PRECINCT, worked out afresh from the ledger. Nothing is lost meanwhile."""
    with line_in(data) as line:
        click.echo(f"{line.outbox.requeue(precinct)} jobs are queued; the results stand until each is done")
