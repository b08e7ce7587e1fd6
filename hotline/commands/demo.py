"""`hotline demo`: a whole caucus night on this machine, phoned in by simulated chairs while pranksters call.

The folder is made in `practice/rehearsal`, the calls in `practice/night`, what is said at the end in `night_report`;
here is the order of the evening. Every figure is measured on the night or read from the ledger.
"""

from __future__ import annotations

import json
import signal
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from hotline import settings
from hotline.caucus.contest import Contest
from hotline.caucus.worksheet import Worksheet
from hotline.clock import Clock
from hotline.commands import named_contest, night_report
from hotline.commands.folder import line_in
from hotline.commands.night_bar import night_bar
from hotline.commands.night_report import Outcome
from hotline.commands.progress import progress
from hotline.commands.stack import Stack, started
from hotline.practice import rehearsal
from hotline.practice.cast import Cast, cast, sample
from hotline.practice.listening import Ear
from hotline.practice.night import Door, Night
from hotline.services import publication
from hotline.services.line import Line
from hotline.store.pins import Packet
from hotline.telephony.speech import FIRST_LANGUAGE

UNTOLD = "http://127.0.0.1:8080"
"""The default public address: the stack then takes the one it listens on."""
PATIENCE = 120.0
"""Seconds the workers have to finish once the last call is over."""


@dataclass(frozen=True)
class Evening:
    """The night that was asked for. `precincts` None means all that have a worksheet."""

    contest: str
    precincts: int | None
    pranks: int
    seed: int
    rate: float | None


def _count(_context: click.Context, _option: click.Parameter, given: str) -> int | None:
    if given == "all":
        return None
    if not given.isdecimal() or int(given) == 0:
        raise click.BadParameter("give a number of precincts from 1, or all")
    return int(given)


@click.command()
@click.option("--contest", default=named_contest.DEFAULT, show_default=True, help="A contest that has worksheets.")
@click.option(
    "--precincts", default="all", show_default=True, callback=_count, metavar="N|all", help="How many report."
)
@click.option("--pranks", type=click.IntRange(min=0), default=1000, show_default=True, help="Prank calls.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same night.")
@click.option(
    "--rate", type=click.FloatRange(min=0, min_open=True), metavar="N", help="Callers a second; else flat out."
)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="A new folder, kept.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
@click.option("--no-serve", is_flag=True, help="Stop when the night is over.")
def demo(data: Path | None, as_json: bool, no_serve: bool, **asked: object) -> None:
    """A whole caucus night: real worksheets phoned in by keypad while pranksters call.

    Everything runs on this machine in a folder of its own, which is removed at the end unless DIR is named. The
    settings and secrets of a real line are left aside.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    evening = Evening(**asked)  # type: ignore[arg-type] # click has checked each option
    with ExitStack() as held:
        folder = data or Path(held.enter_context(tempfile.TemporaryDirectory(prefix="hotline-demo-")))
        settings.set_aside(folder)
        is_good = _hold(evening, folder, as_json, no_serve)
    if not is_good:
        raise SystemExit(1)


def _hold(evening: Evening, folder: Path, as_json: bool, no_serve: bool) -> bool:
    """Hold the night, say what it came to, and keep the line up until Ctrl-C; whether all went well."""
    contest_folder = named_contest.folder_of(evening.contest)
    contest = rehearsal.prepare(folder, contest_folder, evening.seed)
    sheets = rehearsal.read_sheets(contest, contest_folder)
    phoned_in = sample(sheets, evening.seed, evening.precincts)
    spare = next((code for code in contest.precincts if code not in sheets), None)
    with line_in(folder) as line:
        packets = _hand_out(line, [*phoned_in, *([spare] if spare else [])], evening.seed)
        players = _cast(line, phoned_in, packets, evening)
        with started(folder, "127.0.0.1", 0, _warn, is_rehearsal=True, REDIS_URL="", PUBLIC_BASE_URL=UNTOLD) as stack:
            outcome = _play(evening, players, line, stack)
            _tell(outcome, contest, as_json)
            if not no_serve:
                _serve("\n" + night_report.next_steps(stack, contest, packets.get(spare or "")), as_json)
    return outcome.is_good


def _hand_out(line: Line, codes: Sequence[str], seed: int) -> dict[str, Packet]:
    with progress("issuing PINs", len(codes)) as step:
        return rehearsal.hand_out(line, codes, seed, step)


def _cast(line: Line, sheets: Mapping[str, Worksheet], packets: Mapping[str, Packet], evening: Evening) -> Cast:
    """Everybody who will call, the chairs' numbers on file."""
    ear = Ear(line.prompts[FIRST_LANGUAGE].texts, [each.spoken for each in line.contest.preferences])
    pins = {code: packet.pin for code, packet in packets.items()}
    players = cast(line.contest, sheets, pins, ear, evening.seed, evening.pranks)
    line.roster.register_numbers(players.numbers)
    return players


def _play(evening: Evening, players: Cast, line: Line, stack: Stack) -> Outcome:
    """The calls, then the workers' last job, then what stands in the results."""
    found = stack.settings
    door = Door(stack.url, found.public_base_url, found.auth_token or "", found.account_sid or "")
    night = Night(door, evening.seed, Clock(), evening.rate)
    with night_bar(night.record, sum(len(chair.errands) for chair in players.chairs)):
        record = night.run(players.order)
    _wait_for_workers(line)
    return Outcome(
        record,
        publication.results(line, include_held=True),
        publication.results(line),
        publication.findings(line),
        rehearsal.lost(line, record.confirmed),
    )


def _tell(outcome: Outcome, contest: Contest, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(night_report.document(outcome), ensure_ascii=False, indent=1))
    else:
        night_report.show(outcome, contest, Console())


def _wait_for_workers(line: Line) -> None:
    """Until every job is acknowledged. What is not by then shows as lost."""
    deadline = line.clock.monotonic() + PATIENCE
    while line.outbox.backlog().depth:
        if line.clock.monotonic() > deadline:
            _warn(f"the workers are not done after {PATIENCE:.0f} s")
            return
        line.clock.sleep(0.1)


def _warn(said: str) -> None:
    click.echo(said, err=True)


def _serve(greeting: str, as_json: bool) -> None:
    """Say what to try, and keep the line up until Ctrl-C or SIGTERM."""
    stopping = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopping.set())
    click.echo(greeting, err=as_json)
    stopping.wait()
    click.echo("stopping", err=True)
