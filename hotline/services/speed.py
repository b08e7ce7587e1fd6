"""How fast the line is, each time against something plain measured in the same run, so that figures of different
machines, and of one machine busy and idle, can be compared.

What the processor does is measured in its own seconds against a loop of Python, run right before and after; what is
kept in wall time against a bare insert into SQLite with that loop beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from hotline.caucus.contest import Contest
from hotline.caucus.tabulate import tabulate
from hotline.caucus.worksheet import Worksheet
from hotline.clock import Clock
from hotline.services import publication
from hotline.services.copies import copies
from hotline.services.line import Line
from hotline.services.trial_call import Trial, machine_steps, turns
from hotline.services.trial_night import keep_night
from hotline.services.trial_refusals import verdicts
from hotline.services.trial_rings import flood, rings
from hotline.store.disk import safe_insert

ROUNDS = 1_000
"""Rounds of the loop: some 50 µs on a core of 2020."""
WORK_PER_TURN = 20
"""Loops that go with one insert to make the yardstick of a turn: what it works out beside what it keeps."""
FEW = 5_000
"""Sites up to which a tabulation is quick enough to be measured three times."""

# Budgets, in yardsticks; two to four times what is usual, since a busy machine is no slow program.
TOTALS, FINDINGS, PUBLISHED = 0.25, 4.0, 3.0
"""Loops for one site. 2,000 sites then take under 2 s of any core that runs the loop in 230 µs."""
LINEAR = 1.5
STEP, PIN = 2.0, 1_000.0
TURN = 6.0
RING, FLOODED = 25.0, 100.0
"""Bare inserts; of a good disk's, at half a millisecond, that is 12 ms, and 50 where the line is flooded."""

APART = 0.020
"""Seconds the medians of refusals may differ by: less than a telephone line lets anybody tell."""


@dataclass(frozen=True)
class Figure:
    """One measurement: what took how long, how many times which yardstick that is, and how many it may be."""

    what: str
    seconds: float
    against: str
    ratio: float
    budget: float

    @property
    def is_within(self) -> bool:
        """Whether it kept its budget."""
        return self.ratio <= self.budget


def loop_seconds(clock: Clock) -> float:
    """What a core takes for the loop now: the median of many."""
    return median(_timed(clock.processor, _loop) for _ in range(200))


def insert_seconds(clock: Clock, folder: Path) -> float:
    """What one row kept safely in `folder` takes now: the median of many."""
    with safe_insert(folder) as insert:
        return median(_timed(clock.monotonic, insert) for _ in range(100))


def of_tabulation(clock: Clock, contest: Contest, sheets: Mapping[str, Worksheet], sites: int) -> dict[str, Figure]:
    """Results of that many sites from nothing but their worksheets, on one core: totals, findings, and both."""
    many, keyed = copies(contest, sheets, sites)
    tries = range(3 if sites <= FEW else 1)
    before = loop_seconds(clock)
    totals = min(_timed(clock.processor, lambda: tabulate(many, keyed)) for _ in tries)
    findings = min(_timed(clock.processor, lambda: publication.findings_of_sheets(many, keyed)) for _ in tries)
    loop = (before + loop_seconds(clock)) / 2
    return {
        f"{name}_{sites}": Figure(f"{what} of {sites:,} sites", seconds, "loop", seconds / loop, budget * sites)
        for name, what, seconds, budget in (
            ("totals", "totals", totals, TOTALS),
            ("findings", "every finding", findings, FINDINGS),
            ("tabulation", "totals and findings", totals + findings, TOTALS + FINDINGS),
        )
    }


def linearity(figures: Mapping[str, Figure], sizes: Sequence[int]) -> Figure:
    """What one site takes in the largest tabulation measured, against one in the smallest: 1 when time is linear."""
    least, most = (figures[f"tabulation_{sites}"] for sites in (min(sizes), max(sizes)))
    ratio = (most.ratio / max(sizes)) / (least.ratio / min(sizes))
    said = f"one site of {max(sizes):,}, against one of {min(sizes):,}"
    return Figure(said, most.seconds / max(sizes), "smallest", ratio, LINEAR)


def of_the_line(line: Line, trial: Trial, folder: Path) -> dict[str, Figure]:
    """One step of the dialog, one PIN and one turn through intake, in calls that report `trial`."""
    clock, before = line.clock, loop_seconds(line.clock)
    step = median(second for _ in range(20) for second in machine_steps(clock, line.script, trial))
    pin = median(_timed(clock.processor, lambda: line.pins.check(trial.code, trial.pin)) for _ in range(5))
    insert = insert_seconds(clock, folder)
    turn = median(turns(line, trial, "CA" + "0" * 32))
    loop = (before + loop_seconds(clock)) / 2
    kept = insert + WORK_PER_TURN * loop
    return {
        "dialog_step": Figure("one step of the dialog", step, "loop", step / loop, STEP),
        "pin_check": Figure("one PIN judged (Argon2id)", pin, "loop", pin / loop, PIN),
        "turn": Figure("one turn through intake, kept", turn, "insert", turn / kept, TURN),
    }


def of_rings(line: Line, past: int, folder: Path) -> dict[str, Figure]:
    """What the slowest in twenty decisions takes, at 50 rings a second, with `past` calls in the database."""
    taken = rings(line, past)
    slow, insert = taken[len(taken) * 95 // 100], insert_seconds(line.clock, folder)
    said = f"a ring screened at 50 a second, {past:,} calls before it (p95)"
    return {"ring_screened": Figure(said, slow, "bare insert", slow / insert, RING)}


def of_flood(line: Line, seconds: int, folder: Path) -> dict[str, Figure]:
    """What the slowest in twenty rings of a flood takes, answered or rejected and kept. To come after `of_rings`."""
    taken = flood(line, seconds)
    slow, insert = taken[len(taken) * 95 // 100], insert_seconds(line.clock, folder)
    said = "a ring of a flood, answered and kept while PINs are guessed (p95)"
    return {"ring_flooded": Figure(said, slow, "bare insert", slow / insert, FLOODED)}


def of_refusals(line: Line, samples: int) -> dict[str, Figure]:
    """How far the median times of an unknown code, a wrong PIN and a contested precinct lie apart, PIN to verdict.

    `samples` of each are taken.
    """
    medians = sorted(median(seconds) for seconds in verdicts(line, samples).values())
    apart = medians[-1] - medians[0]
    return {"refusals_apart": Figure("refusals told apart by their time", apart, "20 ms", apart / APART, 1.0)}


def of_publishing(line: Line, sheets: Mapping[str, Worksheet]) -> dict[str, Figure]:
    """`/results.json` worked out from the kept results of a night in which every one of `sheets` was reported."""
    keep_night(line, sheets)
    before = loop_seconds(line.clock)
    seconds = min(_timed(line.clock.processor, lambda: json.dumps(publication.results(line))) for _ in range(3))
    loop = (before + loop_seconds(line.clock)) / 2
    said = f"results.json of {len(sheets):,} reports"
    return {"results_json": Figure(said, seconds, "loop", seconds / loop, PUBLISHED * len(sheets))}


def _loop() -> None:
    """What programs do: count, look up, keep."""
    sums = {"even": 0, "odd": 0}
    for number in range(ROUNDS):
        sums["odd" if number % 2 else "even"] += number


def _timed(read: Callable[[], float], action: Callable[[], object]) -> float:
    began = read()
    action()
    return read() - began
