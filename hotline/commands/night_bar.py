"""How far a simulated night is, on stderr: a bar in a terminal, a line now and then anywhere else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from hotline.clock import Clock
from hotline.practice.night import Record, quantile

EVERY = 0.5
LINE_EVERY = 10.0
RECENT = 2000
"""Turns the latency on the bar is taken from."""


@contextmanager
def night_bar(record: Record, reports: int) -> Iterator[None]:
    """Show the night's record while the block lasts; `reports` are awaited."""
    console = Console(stderr=True)
    over = threading.Event()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("reported"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[pace]}"),
        console=console,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("the night", total=reports, pace="")

        def show(pace: str) -> None:
            bar.update(task, completed=record.completed, pace=pace)

        def say(pace: str) -> None:
            click.echo(f"{record.completed:,} of {reports:,} precincts reported, {pace}", err=True)

        told = (show, EVERY) if console.is_terminal else (say, LINE_EVERY)
        watcher = threading.Thread(target=_watch, args=(record, over, *told), name="night bar", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
            show("")


def _watch(record: Record, over: threading.Event, tell: Callable[[str], None], every: float) -> None:
    clock = Clock()
    then, calls, turns = clock.monotonic(), record.calls, record.turns
    while not over.wait(every):
        now = clock.monotonic()
        seconds = now - then
        p95 = 1000 * quantile(record.latencies[-RECENT:], 0.95)
        paces = (record.calls - calls) / seconds, (record.turns - turns) / seconds
        tell(f"{paces[0]:.0f} calls/s, {paces[1]:.0f} turns/s, p95 {p95:.0f} ms")
        then, calls, turns = now, record.calls, record.turns
