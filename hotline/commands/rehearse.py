"""`hotline rehearse night`: what the screening would do to chairs and to pranksters, before a night depends on it.

Nothing is called and nothing kept: the nights are simulated in memory, the judgements are the real ones. The load a
running line bears is measured by `hotline demo`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from hotline.commands import named_contest
from hotline.commands.progress import progress
from hotline.errors import SetupError
from hotline.practice.simulated import gate
from hotline.practice.simulated.rehearsed import Rehearsal
from hotline.practice.simulated.rehearsed import rehearse as hold
from hotline.screening import policy_file
from hotline.screening.policy_file import Policy
from hotline.settings import config_folder
from hotline.telephony.speech import read_prompts

BOUNDS: Mapping[str, tuple[str, str]] = {
    "chairs_challenged_pct": ("chairs challenged", f"≤ {gate.MOST_CHALLENGED} %"),
    "chairs_slow_laned_pct": ("chairs slowed", f"≤ {gate.MOST_SLOWED} %"),
    "chairs_rejected": ("chairs rejected", "0"),
    "prank_minutes_cut_pct": ("line minutes of pranks cut", f"≥ {gate.LEAST_CUT} %"),
    "pranks_reaching_person_pct": ("prank calls that reach a person", f"≤ {gate.MOST_REACHING} %"),
}


@click.group()
def rehearse() -> None:
    """Nights held for practice."""


@rehearse.command()
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same nights.")
@click.option("--nights", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--contest", default=named_contest.DEFAULT, show_default=True, help="A contest by name, or its folder.")
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A screening file to try in place of the shipped one.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def night(seed: int, nights: int, contest: str, policy: Path | None, as_json: bool) -> None:
    """Simulated nights: thousands of pranks among the chairs, judged by the screening policy.

    Exit code 1 when chairs suffer or pranks get through. How callers behave is assumed: starting weights, no evidence.
    """
    known = named_contest.read(contest)
    judging = _read(policy or config_folder() / "screening.toml").at("", known.state)
    wanted = Rehearsal(known, read_prompts(config_folder() / "prompts"), judging, seed, nights)
    with progress("rehearsing", nights) as step:
        screened, unscreened = hold(wanted, step)
    document = gate.document(screened, unscreened, nights, seed)
    if as_json:
        click.echo(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        _show(document, Console())
    if not document["gate"]["passed"]:
        raise SystemExit(1)


def _read(file: Path) -> Policy:
    try:
        return policy_file.read(tomllib.loads(file.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as broken:
        raise SetupError(f"{file}: {broken}") from broken


def _show(document: Mapping[str, Any], console: Console) -> None:
    console.print(_gate(document["gate"]))
    console.print()
    console.print(_rings("Rule", {row["rule"]: row for row in document["rules"]}))
    console.print()
    for name, by_who in (("Decision", document["decisions"]), ("Lane", document["lanes"])):
        rows = {each: {who: by_who[who][each] for who in by_who} for each in by_who["chairs"]}
        console.print(_rings(name, rows))
        console.print()
    for line in _told(document):
        console.print(line, highlight=False)


def _gate(found: Mapping[str, Any]) -> Table:
    table = _table("Gate", "found", "bound")
    for key, (name, bound) in BOUNDS.items():
        value = str(found[key]) if key == "chairs_rejected" else f"{found[key]:.2f} %"
        table.add_row(name, value, bound)
    table.add_row("passed" if found["passed"] else "[bold red]FAILED[/bold red]", "", "")
    return table


def _rings(name: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    """How many rings of chairs and of pranks each of something had its part in."""
    table = _table(name, "chairs", "pranks")
    for each, counts in rows.items():
        table.add_row(each, f"{counts['chairs']:,}", f"{counts['pranks']:,}")
    return table


def _table(*columns: str) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place else "left")
    return table


def _told(document: Mapping[str, Any]) -> list[str]:
    chairs, pranks = document["chairs"], document["pranks"]
    came_in = ", ".join(f"{count:,} {how}" for how, count in chairs["reported"].items())
    held, anyway = (f"{pranks[key]:,} minutes" for key in ("minutes", "minutes_unscreened"))
    met, meet_anyway = (f"{pranks[key]:,} met a person" for key in ("reached_person", "reached_person_unscreened"))
    return [
        f"{document['nights']} nights of seed {document['seed']}: {chairs['callers']:,} chairs reported {came_in}",
        f"{pranks['calls']:,} pranks held lines for {held}, {met}; where nothing is screened, {anyway}, {meet_anyway}",
        '[dim]How callers behave is assumed, see "assumptions" under --json: starting weights, never evidence.[/dim]',
    ]
