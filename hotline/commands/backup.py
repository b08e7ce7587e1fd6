"""`hotline backup` and `hotline restore`: the whole line in one file, secrets left out, and back from it."""

from __future__ import annotations

from pathlib import Path

import click

from hotline import settings
from hotline.clock import Clock
from hotline.commands import claim
from hotline.commands.folder import data_option, settings_in
from hotline.store import backup as backups
from hotline.store.backup import Manifest
from hotline.store.database import connect

file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")


@click.command()
@file_argument
@data_option
def backup(file: Path, data: Path | None) -> None:
    """Copy the line's database, contest and all, into the new FILE. Calls go on meanwhile.

    Secrets are not in it: keep secrets.env apart, PINs are worth nothing without it.
    """
    found = settings_in(data)
    click.echo("copying the database", err=True)
    engine = connect(found.database_url, threads=1)
    try:
        made = backups.back_up(engine, file, Clock())
    finally:
        engine.dispose()
    click.echo(f"{file}: {_told(made)}, {made.bytes:,} bytes, checked")
    click.echo(f"secrets are not in it: keep {found.data / 'secrets.env'}, or what stands for it, apart")


@click.command()
@file_argument
@data_option
def restore(file: Path, data: Path | None) -> None:
    """Bring a backup back, into a data folder or PostgreSQL database where nothing is yet: all of it or nothing."""
    found = settings.load(HOTLINE_DATA=data)
    click.echo("checking the backup, then writing it", err=True)
    with claim.folder(found.data):
        brought = backups.restore(found.database_url, file)
    click.echo(f"restored {_told(brought)}")
    click.echo(
        "secrets are not in a backup: before hotline up, bring the line's secrets.env to "
        f"{found.data}, or its PINs open nothing"
    )
    if brought.database == "postgresql":
        click.echo("privileges are not in a backup either: run hotline migrate --role NAME")


def _told(manifest: Manifest) -> str:
    """What a backup is of, in a line."""
    moment = manifest.moment
    what = f"{moment.contest or 'no contest'}{', a rehearsal' if moment.is_rehearsal else ''}"
    return f"{what}, up to event {moment.newest_seq:,} at {manifest.made_at}"
