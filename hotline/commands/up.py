"""`hotline up`: everything for a real line on one machine, until Ctrl-C."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import click

from hotline.commands.folder import data_option
from hotline.commands.stack import Stack, started


@click.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8080, show_default=True, help="Port to listen on; 0 takes any free one.")
def up(data: Path | None, host: str, port: int) -> None:
    """Run a line on this machine: database, queue, web, two workers and relay."""
    stopping = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopping.set())
    click.echo("starting", err=True)
    with started(data, host, port, lambda said: click.echo(said, err=True)) as stack:
        click.echo(_greeting(stack))
        stopping.wait()
        click.echo("stopping", err=True)
    click.echo("stopped; everything confirmed is in the data folder", err=True)


def _greeting(stack: Stack) -> str:
    settings = stack.settings
    return f"""the line is up

  results      {stack.url}/results
  console      {stack.url}/staff
               hotline staff add NAME --role supervisor --data {settings.data}
  health       {stack.url}/readyz
  phone in     hotline phone --data {settings.data} --url {stack.url}
  PINs         hotline pins issue --data {settings.data} --out pins.csv
  the carrier  voice webhook {settings.public_base_url}/voice/answer
               status callback {settings.public_base_url}/voice/ended
  logs         {settings.data / "logs"}

Ctrl-C stops it."""
