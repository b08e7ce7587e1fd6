"""`hotline callers block`, `unblock` and `show`: one number by hand, with the reason on record; told masked."""

from __future__ import annotations

import getpass
from collections import Counter
from datetime import timedelta
from pathlib import Path

import click

from hotline.commands.folder import data_option, line_in
from hotline.errors import SetupError
from hotline.services.line import Line
from hotline.services.screening import outlook
from hotline.store.text import masked
from hotline.telephone_numbers import read_number

why_option = click.option("--why", required=True, help="The reason; it stays on record.")


@click.group()
def callers() -> None:
    """Block or unblock a number by hand, and look at one.

    A withheld number cannot be blocked: it is not one caller's.
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
        longest = line.policy.latest.hold.reject
        if minutes is not None and minutes > longest:
            raise SetupError(f"--minutes: at most {longest}, which the policy allows one person")
        made = line.blocks.block(number, span=timedelta(minutes=minutes or longest), why=why, by=getpass.getuser())
        click.echo(f"{made.caller} is blocked until {made.until}: {made.why}")
        on_file = line.roster.on_file(number)
        if on_file:
            told = f"{made.caller} is on file for {', '.join(on_file)} and was blocked by {made.by}: {made.why}"
            line.alerts.raise_once("chair-blocked", told, made.key)
            click.echo(f"It is on file for {', '.join(on_file)}: that chair now hears a busy line. An alert is raised.")


@callers.command()
@click.argument("number")
@why_option
@data_option
def unblock(number: str, why: str, data: Path | None) -> None:
    """Let the calls of NUMBER in again; what it did before counts against it no more."""
    number, why = _number(number), _reason(why)
    with line_in(data) as line:
        found = line.blocks.of(number)
        if found is None or not line.blocks.unblock(number, why=why, by=getpass.getuser()):
            raise SetupError(f"{masked(number)} is not blocked")
        line.alerts.clear("chair-blocked", found.key)
        click.echo(f"{masked(number)} is let in again: {why}")


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
