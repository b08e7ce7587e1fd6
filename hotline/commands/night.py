"""`hotline night`: the state of the night, how open each of the line's numbers is, and the alerts that stand."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import cast, get_args

import click

from hotline.commands.folder import data_option, line_in
from hotline.errors import SetupError
from hotline.screening.signals import EventState, Threat
from hotline.services.line import Line
from hotline.telephone_numbers import read_number

why_option = click.option("--why", required=True, help="The reason; it stays on record.")


@click.group()
def night() -> None:
    """Look at the night, and steer who gets through by hand."""


@night.command()
@data_option
def show(data: Path | None) -> None:
    """Show the state, how open each number is, and the alerts that stand."""
    with line_in(data) as line:
        click.echo(f"The night is {_words(line.conditions.state())}.")
        for number in line.settings.numbers:
            click.echo(f"{number} is {line.conditions.at_ring(number).threat}")
        standing = line.alerts.standing()
        for alert in standing:
            click.echo(f"{alert.raised_at}  {alert.kind}  {alert.text}")
        click.echo(f"{len(standing)} alerts stand")


@night.command()
@click.argument("to", type=click.Choice(get_args(EventState)))
@why_option
@data_option
def state(to: str, why: str, data: Path | None) -> None:
    """Put the night into a state: calm, watch or attack. Only a person ends an attack."""
    with line_in(data) as line:
        new = line.conditions.set_state(cast(EventState, to), by=getpass.getuser(), why=_reason(why))
    click.echo(f"The night is {_words(to)}" + (", on record." if new else " already."))


@night.command()
@click.argument("number")
@click.argument("to", type=click.Choice(get_args(Threat)))
@why_option
@data_option
def threat(number: str, to: str, why: str, data: Path | None) -> None:
    """Say who may call NUMBER, one of the line's own: open to all, guarded, or registered-only."""
    with line_in(data) as line:
        called = _ours(line, number)
        new = line.conditions.set_threat(called, cast(Threat, to), by=getpass.getuser(), why=_reason(why))
    click.echo(f"{called} is {to}" + (", on record." if new else " already."))


@night.command()
@click.argument("kind")
@data_option
def seen(kind: str, data: Path | None) -> None:
    """Take down the alerts of a KIND, once somebody has seen to them; what still holds is raised again."""
    with line_in(data) as line:
        standing = [alert for alert in line.alerts.standing() if alert.kind == kind]
        taken = sum(line.alerts.clear(alert.kind, alert.subject) for alert in standing)
    click.echo(f"{taken} alerts taken down")


def _ours(line: Line, number: str) -> str:
    found = read_number(number)
    if found.problem:
        raise SetupError(f"{number} {found.problem}")
    called = found.number
    if line.settings.numbers and called not in line.settings.numbers:
        raise SetupError(f"{called} is none of the line's numbers; HOTLINE_NUMBERS lists them")
    return called


def _reason(why: str) -> str:
    if not why.strip():
        raise SetupError("--why: the record needs a reason")
    return why.strip()


def _words(state: str) -> str:
    return "under attack" if state == "attack" else {"watch": "watched"}.get(state, state)
