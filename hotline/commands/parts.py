"""`hotline worker`, `relay` and `migrate`: what runs beside the web part, one by one, for many machines."""

from __future__ import annotations

import runpy
import sys

import click

from hotline import settings
from hotline.commands.start import settings_to_start
from hotline.store.database import connect
from hotline.store.migrate import migrate as bring_up_to_date
from hotline.store.privileges import grant


@click.command()
def worker() -> None:
    """Work the queues: tabulate each confirmed report."""
    _become("worker")


@click.command()
def relay() -> None:
    """Hand the outbox to the queue, and queue again what was lost."""
    _become("relay")


@click.command()
@click.option(
    "--role", metavar="NAME", help="The role web, worker and relay sign in as (PostgreSQL): say what it may do."
)
def migrate(role: str | None) -> None:
    """Bring the database to this version's schema; only one at a time does, however many start it.

    On PostgreSQL sign in as the owner of the database. With --role, another role, which must exist, is given what the
    application needs and no more: it adds to the ledger and can change nothing in it. Say it after every migration.
    """
    engine = connect(settings.load().database_url, threads=1)
    try:
        bring_up_to_date(engine)
        click.echo("the database has this version's schema")
        if role is not None:
            grant(engine, role)
            click.echo(
                f"{role} may read and add to the ledger, and not change it: name it in DATABASE_URL of every part"
            )
    finally:
        engine.dispose()


def _become(part: str) -> None:
    """Go on as the workers' own program, found by name: this package never imports theirs.

    In this process: another would load every library a second time, and a part that was killed is missed meanwhile.
    """
    settings_to_start()
    sys.argv = ["workers", part]
    runpy.run_module("workers", run_name="__main__")
