"""`hotline web`: the carrier's webhooks and the results page under gunicorn."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from typing import Any

import click
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from hotline import logs, settings
from hotline.commands.start import settings_to_start
from hotline.services.line import open_line
from hotline.store import request_counts
from hotline.web.app import create_app

SWITCH_SECONDS = 0.0005
"""How long a thread may keep the others off the interpreter. Python's own 5 ms are as long as whole turns take, and a
thread that comes back from the disk, with every other writer waiting for it, would wait that long to go on."""


class Server(BaseApplication):  # type: ignore[misc] # gunicorn has no types
    """Gunicorn with options from here and not from a command line. The line is opened after the fork."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options
        super().__init__()

    def load_config(self) -> None:
        """Gunicorn asks for its options."""
        for name, value in self.options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Gunicorn asks for the application."""
        sys.setswitchinterval(SWITCH_SECONDS)
        opened = settings.load()
        return create_app(open_line(opened), counts_in=opened.data / request_counts.FOLDER)


class Told(Logger):  # type: ignore[misc] # gunicorn has no types
    """Gunicorn's own messages, which go where ours do."""

    def setup(self, cfg: Any) -> None:
        """Gunicorn asks for its log."""
        super().setup(cfg)
        self.error_log.propagate = True


def options_for(bind: str, processes: int, threads: int) -> dict[str, Any]:
    """How the web part is served.

    The carrier gives a webhook 15 s; a process that hangs for 30 is replaced. The access log would name callers, and
    the control socket stands in the home folder, where two lines would meet: both are off.
    """
    return {
        "bind": bind,
        "workers": processes,
        "threads": threads,
        "worker_class": "gthread",
        "backlog": 2048,
        "timeout": 30,
        "graceful_timeout": 5,
        "keepalive": 30,
        "accesslog": None,
        "errorlog": None,
        "logger_class": Told,
        "loglevel": "warning",
        "control_socket_disable": True,
        "proc_name": "hotline web",
    }


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8080, show_default=True, help="Port to listen on.")
@click.option("--processes", default=1, show_default=True, help="One a core; a call needs none in particular.")
@click.option("--threads", default=8, show_default=True, help="Requests each process answers at once.")
@click.option("--fd", type=int, hidden=True, help="A listening socket handed down by `hotline up`.")
def web(host: str, port: int, processes: int, threads: int, fd: int | None) -> None:
    """Answer the carrier's webhooks and show results."""
    counts = settings_to_start().data / request_counts.FOLDER
    request_counts.begin(counts)
    settings.share_counts(counts)
    logs.begin(logging.WARNING)
    bind = f"{host}:{port}" if fd is None else f"fd://{fd}"
    Server(options_for(bind, processes, threads)).run()
