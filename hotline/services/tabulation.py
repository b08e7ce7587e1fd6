"""From the ledger to results: what a precinct's events come to, what the checks say of it, and whether it counts.

Nothing is added up as it comes in. A precinct is worked out from its whole history each time, so a job may run twice,
late, beside another, or after a restart, and comes to the same; `rebuild` does it for every precinct from nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from hotline.caucus.across import column_shift, duplicate_of, record
from hotline.caucus.checks import report_findings
from hotline.caucus.contest import Contest
from hotline.caucus.early import folded
from hotline.caucus.sources import conflicting_reports
from hotline.caucus.turnout import headcount_outlier
from hotline.caucus.worksheet import Finding, Tallies, Worksheet
from hotline.errors import SetupError
from hotline.events.kinds import ReportConfirmed
from hotline.events.standing import PrecinctStanding
from hotline.services.line import Line
from hotline.store.projections import Result, Status, Tabulating


@dataclass(frozen=True)
class Outcome:
    """What a precinct's events come to. Where nothing counts, `version` is 0, `origin` "" and `worksheet` None."""

    precinct: str
    status: Status
    version: int = 0
    origin: str = ""
    worksheet: Worksheet | None = None
    findings: tuple[Finding, ...] = ()


def tabulate(line: Line, precinct: str) -> Status:
    """Work one precinct out again and keep what it comes to; its jobs are acknowledged with it, in one transaction.

    Precincts that share its alignments, now or until now, are worked out with it: "keyed twice" is a finding at both.
    The checks run before the transaction, which callers on SQLite would have to wait for.
    """
    if precinct not in line.contest.precincts:
        raise SetupError(
            f"{precinct} is no precinct of {line.contest.name}; its report is in the ledger, not in results"
        )
    seen = line.ledger.standing(precinct)
    report = examined(line.contest, seen)
    with line.projections.tabulating() as work:
        standing = work.standing(precinct)
        if standing != seen:
            report = examined(line.contest, standing)
        left = work.alike(work.worksheet(precinct), precinct)
        joined = work.alike(report.worksheet, precinct)
        outcome = decided(line.contest, report, standing.accepted, joined)
        _keep(work, outcome)
        for other in sorted({*left, *joined}):
            beside = work.standing(other)
            report = examined(line.contest, beside)
            alike = work.alike(report.worksheet, other)
            _keep(work, decided(line.contest, report, beside.accepted, alike))
    return outcome.status


def rebuild(line: Line, as_of: int | None = None) -> dict[str, Outcome]:
    """Every precinct of the contest worked out from the ledger alone, as it stood after event `as_of`; by code."""
    found = line.ledger.standings(as_of)
    standings = {code: found.get(code, PrecinctStanding(code)) for code in line.contest.precincts}
    reports = {code: examined(line.contest, standing) for code, standing in standings.items()}
    alike: dict[str, list[str]] = defaultdict(list)
    for code, report in reports.items():
        if report.worksheet is not None and (written := record(report.worksheet)) is not None:
            alike[written].append(code)
    others = {code: codes for codes in alike.values() for code in codes}
    return {
        code: decided(line.contest, report, standings[code].accepted, others.get(code, ()))
        for code, report in reports.items()
    }


def examined(contest: Contest, standing: PrecinctStanding) -> Outcome:
    """A precinct by itself: its current version and what the checks on one report find. A closed site has none."""
    if standing.closed is not None:
        return Outcome(standing.precinct, "closed")
    if standing.current is None:
        return Outcome(standing.precinct, "outstanding")
    _, version = standing.current
    worksheet = worksheet_of(version)
    findings = (*of_worksheet(contest, standing.precinct, worksheet), *_conflict(contest, standing, worksheet))
    status: Status = "held" if version.version in standing.unverified | standing.reopened else "counted"
    return Outcome(standing.precinct, status, version.version, version.origin, worksheet, findings)


def of_worksheet(contest: Contest, code: str, worksheet: Worksheet) -> tuple[Finding, ...]:
    """What every check finds that needs one precinct's worksheet alone: as keyed, early ballots are folded in here."""
    return of_everybody(contest, code, folded(contest, contest.precincts[code], worksheet))


def of_everybody(contest: Contest, code: str, everybody: Worksheet) -> tuple[Finding, ...]:
    """The same of numbers that have early ballots in them already, as published figures do."""
    precinct = contest.precincts[code]
    more = (column_shift(contest, precinct, everybody), headcount_outlier(precinct, everybody))
    return (*report_findings(contest, precinct, everybody), *(finding for finding in more if finding))


def decided(contest: Contest, report: Outcome, accepted: Collection[int], alike: Sequence[str]) -> Outcome:
    """A precinct among the others: with the finding that `alike` reported the same, and held where a rule is broken.

    What has to be verified stays held. Staff who accepted the version have seen its findings: it counts as it stands.
    """
    if report.worksheet is None:
        return report
    twice = duplicate_of(contest, contest.precincts[report.precinct], report.worksheet, alike)
    findings = (*report.findings, *([twice] if twice else []))
    is_broken = report.version not in accepted and any(finding.severity == "hard" for finding in findings)
    is_held = report.status == "held" or is_broken
    return replace(report, status="held" if is_held else "counted", findings=findings)


def worksheet_of(version: ReportConfirmed) -> Worksheet:
    """The worksheet a version was confirmed as; groups of nobody left out."""
    return Worksheet(version.headcount, _counted(version.first), _counted(version.final), _counted(version.delegates))


def _conflict(contest: Contest, standing: PrecinctStanding, worksheet: Worksheet) -> tuple[Finding, ...]:
    """The finding that the current version, as keyed, differs from one it does not correct; () when none does."""
    assert standing.current is not None
    others = {f"version {each.version}": worksheet_of(each) for each in standing.rivals}
    name, precinct = f"version {standing.current[1].version}", contest.precincts[standing.precinct]
    conflict = conflicting_reports(contest, precinct, name, worksheet, others)
    return (conflict,) if conflict else ()


def _counted(tallies: Tallies) -> Tallies:
    return {group: count for group, count in tallies.items() if count}


def _keep(work: Tabulating, outcome: Outcome) -> None:
    result = Result(outcome.precinct, 0, outcome.status, outcome.version, outcome.origin, outcome.worksheet)
    work.put(result, outcome.findings)
