"""`hotline callers block`, `unblock`, `mark` and `show`: one number by hand, the reason on record; told masked."""

from __future__ import annotations

import getpass
from collections import Counter
from pathlib import Path
from typing import get_args

import click

from hotline.commands.folder import data_option, line_in
from hotline.errors import Overtaken, SetupError
from hotline.services import blocking, marking
from hotline.services.line import Line
from hotline.services.screening import outlook
from hotline.store.marks import Word
from hotline.store.text import instant, masked
from hotline.telephone_numbers import read_number

why_option = click.option("--why", required=True, help="The reason; it stays on record.")


@click.group()
def callers() -> None:
    """Block, unblock or mark a number by hand, and look at one.

    A withheld number can be neither blocked nor marked: it is not one caller's.
    """


@callers.command()
@click.argument("number")
@why_option
@click.option(
    "--minutes", type=click.IntRange(min=1), metavar="N", help="How long.  [default: as the policy, 12 hours]"
)
@data_option
def block(number: str, why: str, minutes: int | None, data: Path | None) -> None:
    """Have the calls of NUMBER refused, from its next ring on."""
    number, why = _number(number), _reason(why)
    with line_in(data) as line:
        longest = blocking.longest(line)
        if minutes is not None and minutes > longest:
            raise SetupError(f"--minutes: at most {longest}, which the policy allows one person")
        made = blocking.block(line, number, minutes=minutes or longest, why=why, by=getpass.getuser())
        click.echo(f"{made.caller} is blocked until {made.until}: {made.why}")
        if on_file := line.roster.on_file(number):
            click.echo(f"It is on file for {', '.join(on_file)}: that chair now hears a busy line. An alert is raised.")


@callers.command()
@click.argument("number")
@why_option
@data_option
def unblock(number: str, why: str, data: Path | None) -> None:
    """Let the calls of NUMBER in again; what it did before counts against it no more."""
    number, why = _number(number), _reason(why)
    with line_in(data) as line:
        try:
            blocking.unblock(line, number, why=why, by=getpass.getuser())
        except Overtaken:
            raise SetupError(f"{masked(number)} is not blocked") from None
        click.echo(f"{masked(number)} is let in again: {why}")


@callers.command()
@click.argument("number")
@click.option("--as", "word", type=click.Choice(get_args(Word)), required=True, help="What it is used for.")
@why_option
@click.option(
    "--by", default=getpass.getuser, show_default="who is signed in here", metavar="NAME", help="Who says so."
)
@data_option
def mark(number: str, word: Word, why: str, by: str, data: Path | None) -> None:
    """Say what NUMBER is used for: it counts from its next ring on, for twelve hours unless the policy says otherwise.

    Longer than that takes somebody else who says so too. "genuine" takes it back. It refuses nobody by itself, and
    changes nothing for a number on file, which anybody may have forged.
    """
    number, by = _number(number), by.strip()
    if not by:
        raise SetupError("--by: the record needs a name")
    with line_in(data) as line:
        made = marking.mark(line, number, word, why=why, by=by)
        until = "" if word == "genuine" else f" until {instant(line.clock.now() + marking.term(line))}"
        click.echo(f"{made.caller} is marked {word}{until} by {by}: {made.why}")
        if on_file := line.roster.on_file(number):
            click.echo(f"It is on file for {', '.join(on_file)}: it is let in all the same, unless it is blocked.")


@callers.command()
@click.argument("number")
@data_option
def show(number: str, data: Path | None) -> None:
    """Tell what is known of NUMBER, and how its next call would be met."""
    number = _number(number)
    with line_in(data) as line:
        seen = outlook(line, number)
        click.echo(f"{masked(number)}: {seen.told}")
        if seen.known.on_file:
            click.echo(f"On file for {', '.join(seen.known.on_file)}")
        _show_block(line, number)
        if said := line.marks.of(number):
            click.echo(f"Marked {said.word} at {said.at} by {said.by}: {said.why}")
        for kind, count in sorted(Counter(mark.kind for mark in seen.known.marks).items()):
            click.echo(f"  {count:>4} x {kind}")


def _show_block(line: Line, number: str) -> None:
    found = line.blocks.of(number)
    if found is None:
        return
    if found.stands(line.clock.now()):
        click.echo(f"Blocked until {found.until} by {found.by}: {found.why}")
    else:
        click.echo(f"Was blocked by {found.by} until {found.lifted_at or found.until}: {found.why}")


def _number(given: str) -> str:
    found = read_number(given)
    if found.problem:
        raise SetupError(f"{given} {found.problem}")
    return found.number


def _reason(why: str) -> str:
    if not why.strip():
        raise SetupError("--why: the record needs a reason")
    return why.strip()
