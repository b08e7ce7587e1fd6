"""What staff see before they decide of a report: the queue of held ones, and one with all that is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from hotline.caucus.contest import Contest, Precinct
from hotline.caucus.early import ballots
from hotline.caucus.worksheet import Finding, Worksheet
from hotline.errors import NotFound
from hotline.events.kinds import ReportConfirmed
from hotline.events.standing import PrecinctStanding, Recorded
from hotline.services.corrections import corrected
from hotline.services.line import Line
from hotline.services.review import is_held, subject
from hotline.services.tabulation import examined, of_worksheet, worksheet_of
from hotline.store.reports import HeldReport
from hotline.store.reviews import Claim, Proposal
from hotline.store.text import masked

MINUTES_PER_RULE = 10
"""A broken rule comes before ten minutes of waiting."""
TOLD = (
    *("ReportConfirmed", "ReportCorrected", "ReportAccepted", "ReportRejected", "ReportReopened"),
    *("DecisionProposed", "DecisionDeclined", "VerificationWanted", "ReportVerified", "ReportDisputed"),
    *("CallBackRequested", "CallBackPlaced", "CallBackAnswered", "CallBackFailed", "SiteClosed", "SiteReopened"),
    "PinReissueApproved",
)
"""What a report's history tells: not each key of each call."""


@dataclass(frozen=True)
class Waiting:
    """A held report in the queue. `minutes` it has waited; `proposal` and `claim` None when there is none."""

    report: HeldReport
    precinct: Precinct
    minutes: int
    proposal: Proposal | None
    claim: Claim | None

    @property
    def urgency(self) -> int:
        """Broken rules and minutes as one number: nothing waits for ever behind what is worse."""
        return MINUTES_PER_RULE * len(self.report.rules) + self.minutes


@dataclass(frozen=True)
class Version:
    """One version of a report: its numbers, what its own numbers break, and staff's last word on it."""

    confirmed: ReportConfirmed
    seq: int
    worksheet: Worksheet
    findings: tuple[Finding, ...]
    word: str


@dataclass(frozen=True)
class Card:
    """A report and what is known of it; versions newest first. `after`: the rules a proposed correction leaves broken.

    `on_file` are the masked numbers that can be called; `early` the early ballots cast there, which findings count in.
    """

    precinct: Precinct
    standing: PrecinctStanding
    status: str
    versions: tuple[Version, ...]
    findings: tuple[Finding, ...]
    proposal: Proposal | None
    proposals: tuple[Proposal, ...]
    after: tuple[Finding, ...]
    claim: Claim | None
    history: tuple[Recorded, ...]
    on_file: tuple[str, ...]
    early: int

    @property
    def current(self) -> Version | None:
        """The version that counts, or would."""
        current = self.standing.current
        return next((each for each in self.versions if current and each.seq == current[0]), None)


def queue(line: Line) -> list[Waiting]:
    """Every held report, the most urgent first."""
    now = line.clock.now()
    claims, proposals = line.reviews.claims(), {each.precinct: each for each in line.reviews.waiting()}
    waiting = [
        Waiting(
            each,
            line.contest.precincts[each.precinct],
            _minutes(each.since, now),
            proposals.get(each.precinct),
            claims.get(subject(each.precinct)),
        )
        for each in line.reports.held()
        if each.precinct in line.contest.precincts
    ]
    return sorted(waiting, key=lambda each: (-each.urgency, each.report.since, each.precinct.code))


def card(line: Line, code: str) -> Card:
    """One precinct's report. Raises `NotFound` when there is no such precinct."""
    precinct = line.contest.precincts.get(code)
    if precinct is None:
        raise NotFound(f"{code} is no precinct of this contest.")
    standing = line.ledger.standing(code)
    proposals = tuple(line.reviews.of(code))
    waiting = next((each for each in proposals if not each.word), None)
    return Card(
        precinct=precinct,
        standing=standing,
        status=_status(line, standing),
        versions=tuple(_versions(line.contest, standing)),
        findings=_findings(line, standing),
        proposal=waiting,
        proposals=proposals,
        after=_after(line.contest, standing, waiting),
        claim=line.reviews.claims((subject(code),)).get(subject(code)),
        history=tuple(line.reports.happened(code, TOLD)),
        on_file=tuple(masked(number) for number in line.roster.numbers_of(code)),
        early=sum(bundle.count for bundle in ballots(line.contest, precinct)),
    )


def _minutes(since: str, now: datetime) -> int:
    return max(0, int((now - datetime.fromisoformat(since)).total_seconds() // 60))


def _status(line: Line, standing: PrecinctStanding) -> str:
    if standing.closed is not None:
        return "closed"
    if standing.current is None:
        return "outstanding"
    return "held" if is_held(line, standing) else "counted"


def _versions(contest: Contest, standing: PrecinctStanding) -> Iterable[Version]:
    for seq, confirmed in reversed(standing.versions):
        sheet = worksheet_of(confirmed)
        findings = of_worksheet(contest, standing.precinct, sheet)
        yield Version(confirmed, seq, sheet, findings, _word(standing, confirmed.version))


def _word(standing: PrecinctStanding, version: int) -> str:
    words: Mapping[str, frozenset[int]] = {
        "accepted": standing.accepted,
        "rejected": standing.rejected,
        "reopened": standing.reopened,
        "to be verified": standing.unverified,
    }
    return next((word for word, versions in words.items() if version in versions), "")


def _findings(line: Line, standing: PrecinctStanding) -> tuple[Finding, ...]:
    """The current version's findings: its own, and those among others as a worker last found them."""
    report = examined(line.contest, standing)
    kept = line.reports.kept(standing.precinct)
    own = {finding.code for finding in report.findings}
    more = kept.findings if kept and kept.version == report.version and report.version else ()
    return (*report.findings, *(finding for finding in more if finding.code not in own))


def _after(contest: Contest, standing: PrecinctStanding, proposal: Proposal | None) -> tuple[Finding, ...]:
    """The rules a proposed correction leaves broken."""
    if proposal is None or proposal.what != "correct" or standing.current is None:
        return ()
    sheet = corrected(contest, worksheet_of(standing.current[1]), proposal.changes)
    return tuple(each for each in of_worksheet(contest, standing.precinct, sheet) if each.severity == "hard")
