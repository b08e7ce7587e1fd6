"""`hotline caucus explain`: how a precinct's delegates divide, as one would work it out on paper."""

from __future__ import annotations

import json
from typing import Any

import click

from hotline.caucus.contest import Contest
from hotline.caucus.explain import Working
from hotline.caucus.explain import explain as work_out
from hotline.commands import named_contest
from hotline.errors import SetupError


@click.group()
def caucus() -> None:
    """The party's arithmetic."""


@caucus.command()
@click.option("--delegates", required=True, type=click.IntRange(min=1), metavar="D", help="Delegates elected there.")
@click.option("--headcount", required=True, type=click.IntRange(min=0), metavar="A", help="People at first alignment.")
@click.option("--final", required=True, metavar='"Biden=13 …"', help="The final alignment, group by group.")
@click.option("--contest", default=named_contest.DEFAULT, show_default=True, help="Whose rules.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of sentences.")
def explain(delegates: int, headcount: int, final: str, contest: str, as_json: bool) -> None:
    """Show the working: threshold, viable groups, shares, rounding, and every legal outcome."""
    rules = named_contest.read(contest)
    working = work_out(rules, delegates, headcount, _tallies(rules, final))
    if as_json:
        click.echo(json.dumps(_document(working), ensure_ascii=False))
        return
    for number, step in enumerate(working.steps, 1):
        click.echo(f"{number}. {step}")
    if len(working.outcomes) > 1:
        for outcome in working.outcomes:
            click.echo("   " + ", ".join(f"{rules.by_key[key].name} {count}" for key, count in outcome.items()))


def _tallies(contest: Contest, text: str) -> dict[str, int]:
    """ "Biden=13 Sanders=9" as tallies; names in any case."""
    keys = {key.casefold(): key for key in contest.keys}
    tallies: dict[str, int] = {}
    for part in text.replace(",", " ").split():
        name, _, count = part.partition("=")
        key = keys.get(name.casefold())
        if key is None:
            raise SetupError(f"--final: {contest.name} has no group {name!r}; it has {', '.join(contest.keys)}")
        if not (count.isascii() and count.isdecimal()):
            raise SetupError(f"--final: {part!r} is no count; write {key}=13")
        if key in tallies:
            raise SetupError(f"--final: {key} stands there twice")
        tallies[key] = int(count)
    return tallies


def _document(working: Working) -> dict[str, Any]:
    return {
        "threshold": working.threshold,
        "viable": list(working.viable),
        "raw": dict(working.raw),
        "outcomes": [dict(outcome) for outcome in working.outcomes],
        "steps": list(working.steps),
    }
