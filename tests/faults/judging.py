"""What a night with a fault came to: held against the worksheets, the numbers the callers heard, and the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from hotline.caucus.tabulate import tabulate
from hotline.caucus.worksheet import Worksheet
from hotline.practice.night import quantile
from hotline.services import publication
from hotline.services.figures import totals_document
from hotline.services.line import Line
from hotline.services.verification import verify
from hotline.store.database import reading
from hotline.store.evidence import evidence
from hotline.store.schema import outbox
from hotline.store.seal import Signer
from hotline.store.text import dump
from tests.faults.callers import Reporter, Tally

HEADLINE = ("Buttigieg", "Sanders")


@dataclass(frozen=True)
class Marks:
    """What a fault did: the jobs it took a worker's life in, and when; how often a part died; how long it all took."""

    cut_short: Mapping[str, datetime]
    deaths: int
    seconds: float


@dataclass(frozen=True)
class Told:
    """What a night with a fault came to.

    `confirmed` numbers were heard. `lost` are those that are not in the ledger, or whose results are older; `doubled`
    reports kept more often than given, `unheard` chairs who never got through. `totals` says whether all figures are
    those of the worksheets, `rebuilt` whether results worked out from the ledger alone are the stored ones to the byte,
    `sealed` whether the ledger verifies. `p95` and `slowest` are milliseconds from request to answer, `recovered`
    seconds until a job was done in which a worker was killed, `dead` jobs put aside, `deaths` the times a part died.
    `headline` is the two largest groups' equivalents. `errors` are the carrier's. The rest as in `Tally`.
    """

    confirmed: int
    lost: int
    doubled: int
    unheard: int
    totals: bool
    rebuilt: bool
    sealed: bool
    headline: str
    p95: float
    slowest: float
    recovered: tuple[float, ...]
    dead: int
    deaths: int
    calls: int
    broken: int
    errors: str
    holds: int
    persons: int
    unlike: int
    seconds: float

    @property
    def broken_promises(self) -> list[str]:
        """What every fault must leave standing and this one did not."""
        counts = {name: getattr(self, name) for name in ("lost", "doubled", "unheard", "unlike")}
        said = [f"{count} {name}" for name, count in counts.items() if count]
        said += [f"{name} not right" for name in ("totals", "rebuilt", "sealed") if not getattr(self, name)]
        return said


def told(line: Line, sheets: Mapping[str, Worksheet], chairs: Sequence[Reporter], tally: Tally, marks: Marks) -> Told:
    """Look at what a night has left, once the last job is done."""
    line.clock.sleep(1.5)  # the seal is a second behind
    with evidence(line.ledger.engine) as found:
        report = verify(found, Signer(line.settings.seal_key or "").public, {})
    counted = publication.results(line, include_held=True)
    totals = counted["totals"]
    return Told(
        confirmed=sum(len(chair.heard) for chair in chairs),
        lost=sum(_lost(line, chairs)),
        doubled=sum(_doubled(line, chairs)),
        unheard=sum(not chair.is_done for chair in chairs),
        totals=totals == totals_document(line.contest, tabulate(line.contest, sheets).statewide),
        rebuilt=_published(line, None) == _published(line, counted["as_of"]),
        sealed=report.is_sound and report.unsealed == 0,
        headline=", ".join(f"{name} {totals[name]['sde']}" for name in HEADLINE),
        p95=round(quantile(tally.turns, 0.95) * 1000),
        slowest=round(max(tally.turns, default=0.0) * 1000),
        recovered=_recovered(line, marks.cut_short),
        dead=len(line.outbox.dead()),
        deaths=marks.deaths,
        calls=tally.calls,
        broken=tally.broken,
        errors=", ".join(f"{count} x {code}" for code, count in sorted(tally.errors.items())),
        holds=tally.holds,
        persons=tally.persons,
        unlike=tally.unlike,
        seconds=round(marks.seconds, 1),
    )


def _lost(line: Line, chairs: Sequence[Reporter]) -> list[int]:
    """For each chair the numbers heard that the ledger does not have, or that the results have not come to."""
    standings, results = line.ledger.standings(), line.projections.results()
    missing = []
    for chair in chairs:
        code = chair.errands[0].code
        versions = standings[code].versions if code in standings else ()
        kept = {report.confirmation: report.version for _, report in versions}
        reached = results[code].version if code in results else 0
        missing.append(sum(kept.get(number, reached + 1) > reached for number in chair.heard))
    return missing


def _doubled(line: Line, chairs: Sequence[Reporter]) -> list[int]:
    """For each chair the reports in the ledger beyond those that were given."""
    standings = line.ledger.standings()
    given = {chair.errands[0].code: len(chair.errands) for chair in chairs}
    return [max(0, len(standings[code].versions) - count) for code, count in given.items() if code in standings]


def _published(line: Line, as_of: int | None) -> str:
    """Results and findings as they are stored, or worked out from the ledger alone up to an event."""
    return dump([publication.results(line, as_of, include_held=True), publication.findings(line, as_of)])


def _recovered(line: Line, cut_short: Mapping[str, datetime]) -> tuple[float, ...]:
    """Seconds from the end of a worker to the end of the job it had, for those that were not through yet."""
    with reading(line.ledger.engine) as connection:
        rows = connection.execute(select(outbox.c.job, outbox.c.acknowledged_at)).all()
    done = {row.job: datetime.fromisoformat(row.acknowledged_at) for row in rows if row.acknowledged_at}
    waited = [(done[job] - at).total_seconds() for job, at in cut_short.items() if job in done]
    return tuple(sorted(seconds for seconds in waited if seconds > 0))
