"""What a simulated night came to: as a document, as tables, and what to try next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from hotline.caucus.contest import Contest
from hotline.commands import results
from hotline.commands.stack import Stack
from hotline.practice import habits, pranksters
from hotline.practice.night import REFUSED, Record, quantile
from hotline.store.pins import Packet

QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
MOST_SHOWN = 12


@dataclass(frozen=True)
class Outcome:
    """What the phones saw and what the line made of it.

    `with_held` and `without_held` are results documents, `findings` their findings; `lost` the precincts whose
    confirmation number was heard and that are not in the results.
    """

    record: Record
    with_held: Mapping[str, Any]
    without_held: Mapping[str, Any]
    findings: Sequence[Mapping[str, Any]]
    lost: Sequence[str]

    @property
    def is_good(self) -> bool:
        """Whether every chair was heard to the end and nothing confirmed is missing."""
        return not self.lost and self.record.completed == self.record.chairs


def document(outcome: Outcome) -> dict[str, Any]:
    """The night as one JSON document, as other programs read it."""
    record = outcome.record
    return {
        "results": outcome.with_held,
        "results_without_held": outcome.without_held,
        "findings": dict(sorted(Counter(row["code"] for row in outcome.findings).items())),
        "calls": {
            "chairs": record.chairs,
            "completed": record.completed,
            "pranks": record.pranks,
            "pranks_rejected": record.endings[REFUSED],
            "chairs_challenged": record.challenged,
            "chairs_rejected": record.refused_chairs,
            "placed": record.calls,
            "failed": record.failed,
            "prank_endings": dict(sorted(record.endings.items())),
        },
        "turns": record.turns,
        "wall_s": round(record.seconds, 2),
        "turns_per_s": round(record.turns / record.seconds, 1) if record.seconds else 0.0,
        "latency_ms": {name: round(1000 * quantile(record.latencies, share), 1) for name, share in QUANTILES.items()},
        "call_seconds_spoken": {
            "median": round(quantile(record.spoken, 0.5), 1),
            "p95": round(quantile(record.spoken, 0.95), 1),
        },
        "lost": len(outcome.lost),
        "assumptions": {"chairs": dict(habits.SHARES), "pranks": dict(pranksters.SHARES)},
    }


def show(outcome: Outcome, contest: Contest, console: Console) -> None:
    """The results table, the findings by code, and how the line did."""
    results.show(outcome.with_held, contest, console)
    console.print()
    console.print(_findings(outcome.findings))
    console.print()
    for line in _how_it_went(outcome):
        console.print(line, highlight=False)


def next_steps(stack: Stack, contest: Contest, spare: Packet | None) -> str:
    """What to try while the line is still up. `spare` is the packet of a precinct nobody reported."""
    data = stack.settings.data
    phone = f"hotline phone --url {stack.url} --data {data}"
    said = [f"The line is still up. Look at {stack.url}/results, or in another terminal:", ""]
    if spare is not None:
        site = contest.precincts[spare.precinct]
        said += [
            f"  {phone}",
            f"      {site.name} ({site.county}) never reported. Be its chair: code {spare.precinct}, PIN {spare.pin},",
            f"      correction code {spare.correction_code}; then look at the results again",
        ]
    said += [
        f"  hotline results --data {data} --include-held",
        f"  hotline checks --data {data}",
        "",
        "Ctrl-C stops it.",
    ]
    return "\n".join(said)


def _findings(found: Sequence[Mapping[str, Any]]) -> Table:
    """Findings by code, the commonest first, with one in its sentence."""
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("Finding")
    table.add_column("Severity")
    table.add_column("Count", justify="right")
    table.add_column("For instance", overflow="fold")
    counts = Counter((row["severity"], row["code"]) for row in found)
    for (severity, code), count in sorted(counts.items(), key=lambda each: (each[0][0], -each[1])):
        example = next(row["message"] for row in found if row["code"] == code and row["severity"] == severity)
        table.add_row(code, severity, f"{count:,}", example)
    return table


def _how_it_went(outcome: Outcome) -> list[str]:
    record, told = outcome.record, document(outcome)
    latency, spoken = told["latency_ms"], told["call_seconds_spoken"]
    said = [
        f"{record.completed:,} of {record.chairs:,} chairs heard their confirmation number; {record.pranks:,} pranks; "
        f"{record.calls:,} calls",
        f"{record.turns:,} turns in {record.seconds:.1f} s, {told['turns_per_s']:.0f} a second; answered in "
        f"{latency['p50']:.0f} ms (median), {latency['p95']:.0f} (95 %), {latency['p99']:.0f} (99 %), "
        f"{latency['max']:.0f} at most",
        f"a chair's call would last {spoken['median']:.0f} s (median), {spoken['p95']:.0f} s (95 %)",
    ]
    if record.failed:
        said.append(f"[yellow]{record.failed:,} calls met an error: {dict(record.errors)}[/yellow]")
    if outcome.lost:
        shown = ", ".join(outcome.lost[:MOST_SHOWN])
        said.append(f"[bold red]{len(outcome.lost):,} confirmed reports are NOT in the results: {shown}[/bold red]")
    else:
        said.append("no confirmed report is missing from the results")
    said.append(
        '[dim]How callers behave is assumed, see "assumptions" under --json; the numbers they key are real.[/dim]'
    )
    return said
