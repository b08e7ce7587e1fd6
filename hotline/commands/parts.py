"""`hotline worker`, `relay` and `migrate`: what runs beside the web part, one by one, for many machines."""

from __future__ import annotations

import os
import sys

import click

from hotline import settings
from hotline.commands.start import settings_to_start
from hotline.store.database import connect
from hotline.store.migrate import migrate as bring_up_to_date


@click.command()
def worker() -> None:
    """Work the queues: tabulate each confirmed report."""
    _become("worker")


@click.command()
def relay() -> None:
    """Hand the outbox to the queue, and queue again what was lost."""
    _become("relay")


@click.command()
def migrate() -> None:
    """Bring the database to this version's schema."""
    bring_up_to_date(connect(settings.load().database_url, threads=1))
    click.echo("the database has this version's schema")


def _become(part: str) -> None:
    """Replace this process by the workers' own program: this package never imports theirs."""
    settings_to_start()
    os.execv(sys.executable, [sys.executable, "-m", "workers", part])  # noqa: S606 - see the docstring
