"""`hotline bench`: how fast the line is on this machine, as ratios to a loop and a bare insert of the same run."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from hotline import settings
from hotline.caucus.viability import assumed_headcount
from hotline.clock import Clock
from hotline.commands import named_contest
from hotline.commands.folder import line_in
from hotline.commands.progress import progress
from hotline.practice import rehearsal
from hotline.services import speed
from hotline.services.line import Line
from hotline.services.speed import Figure
from hotline.services.trial_call import Trial, sound_code
from hotline.store import embedded
from hotline.store.keyed import keying
from hotline.store.rates import Rates

SIZES = (2_000, 20_000, 200_000)


@dataclass(frozen=True)
class Sizes:
    """How much is measured on the line: calls before a ring, refusals of each kind, seconds of a flood."""

    calls: int
    refusals: int
    flood: int


@click.command()
@click.option("--contest", default=named_contest.DEFAULT, show_default=True, help="A contest that has worksheets.")
@click.option(
    "--sites",
    type=click.IntRange(min=1),
    multiple=True,
    default=SIZES,
    show_default=True,
    metavar="N",
    help="How many sites are tabulated; may be given again.",
)
@click.option("--calls", type=click.IntRange(min=1), default=50_000, show_default=True, help="Calls before a ring.")
@click.option("--refusals", type=click.IntRange(min=1, max=1_000), default=60, show_default=True, help="Timed of each.")
@click.option("--flood", type=click.IntRange(min=1), default=4, show_default=True, help="Seconds of a flood of rings.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def bench(contest: str, sites: tuple[int, ...], calls: int, refusals: int, flood: int, as_json: bool) -> None:
    """Speed, as ratios in one run.

    Everything happens in a folder of its own, removed at the end; the settings and data of a real line are left aside.
    """
    clock = Clock()
    began = clock.monotonic()
    with tempfile.TemporaryDirectory(prefix="hotline-bench-") as folder:
        settings.set_aside(Path(folder))
        loop, insert, figures = _measured(Path(folder), contest, sorted(set(sites)), Sizes(calls, refusals, flood))
    document = {
        "loop_s": loop,
        "insert_s": insert,
        "figures": {name: {**asdict(figure), "is_within": figure.is_within} for name, figure in figures.items()},
        "wall_s": clock.monotonic() - began,
    }
    if as_json:
        click.echo(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        show(document, Console())


def show(document: Mapping[str, Any], console: Console) -> None:
    """Print the figures, each beside its yardstick and its budget."""
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("What")
    for heading in ("Time", "Ratio", "Budget"):
        table.add_column(heading, justify="right")
    table.add_column("Against")
    for row in document["figures"].values():
        over = "" if row["is_within"] else "  over budget"
        ratio, budget = (_rounded(row[name]) for name in ("ratio", "budget"))
        table.add_row(row["what"], _time(row["seconds"]), ratio, budget, row["against"] + over)
    console.print(table)
    console.print(
        f"loop: {speed.ROUNDS:,} rounds in Python, {_time(document['loop_s'])}\n"
        f"insert: one row kept safely, {_time(document['insert_s'])}, and {speed.WORK_PER_TURN} loops\n"
        f"measured in {document['wall_s']:.0f} s",
        style="dim",
        highlight=False,
    )


def _measured(
    folder: Path, contest_name: str, sizes: Sequence[int], on_the_line: Sizes
) -> tuple[float, float, dict[str, Figure]]:
    """The two yardsticks as they are at the beginning, and every figure by name."""
    clock, source = Clock(), named_contest.folder_of(contest_name)
    contest = rehearsal.prepare(folder, source, seed=1)
    sheets = {
        code: replace(sheet, headcount=assumed_headcount(sheet))
        for code, sheet in rehearsal.read_sheets(contest, source).items()
    }
    loop, insert = speed.loop_seconds(clock), speed.insert_seconds(clock, folder)
    figures: dict[str, Figure] = {}
    with progress("measuring", len(sizes) + 3) as done, line_in(folder) as line:
        code = sound_code(contest, sheets)
        (packet,) = line.pins.issue([code])
        figures |= speed.of_the_line(line, Trial(code, packet.pin, sheets[code]), folder)
        done(1)
        figures |= speed.of_refusals(line, on_the_line.refusals)
        figures |= speed.of_publishing(line, sheets)
        done(2)
        with _with_redis(line, folder) as counting:
            figures |= speed.of_rings(counting, on_the_line.calls, folder)
            figures |= speed.of_flood(counting, on_the_line.flood, folder)
        for number, sites in enumerate(sizes, start=3):
            done(number)
            figures |= speed.of_tabulation(clock, contest, sheets, sites)
        figures["linearity"] = speed.linearity(figures, sizes)
    return loop, insert, figures


@contextmanager
def _with_redis(line: Line, folder: Path) -> Iterator[Line]:
    """The line with a Valkey of its own beside it, to count its calls; gone afterwards."""
    server = embedded.in_folder(folder, folder)
    with subprocess.Popen(server.command(), stdout=subprocess.DEVNULL) as process:
        try:
            while not server.answers():
                line.clock.sleep(0.02)
            yield replace(line, rates=Rates(server.url, line.clock, keying(line.settings.secret_key or "")))
        finally:
            process.terminate()


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def _rounded(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
