"""What staff decide of reports, accepted, corrected field by field, rejected, opened again; and of sites and PINs.

Whatever puts numbers into the totals, or takes counted ones out, takes two: one proposes, another with the right to
approve gives the second word. Each decision names the version it was taken of, and one that is not the current one any
more is refused: nobody decides of numbers they have not seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotline.caucus.worksheet import Worksheet
from hotline.errors import FormRefused, NotFound, NotPermitted, Overtaken
from hotline.events.decisions import (
    DecisionDeclined,
    DecisionProposed,
    PinReissueApproved,
    ReportAccepted,
    ReportCorrected,
    ReportRejected,
    ReportReopened,
    SiteClosed,
    SiteReopened,
    What,
)
from hotline.events.kinds import Event, ReportConfirmed
from hotline.events.standing import PrecinctStanding
from hotline.events.verification import CallBackRequested, VerificationWanted
from hotline.services.corrections import corrected
from hotline.services.line import Line
from hotline.services.tabulation import examined, of_worksheet, worksheet_of
from hotline.store.reviews import Deciding, Proposal
from hotline.store.staff import Session

LONGEST_REASON = 1_000


@dataclass(frozen=True)
class Wanted:
    """What somebody wants of a report, and why; `changes` by field (`corrections`) where it is to read otherwise."""

    what: What
    precinct: str
    version: int
    why: str
    changes: Mapping[str, int] = field(default_factory=dict)


def subject(code: str) -> str:
    """What is claimed by whoever is at a precinct's report."""
    return f"report-{code}"


def propose(line: Line, session: Session, wanted: Wanted) -> int:
    """Propose what takes two; the proposal's number. One at a time waits for a report."""
    code, version, reason = wanted.precinct, wanted.version, read_reason(wanted.why)
    with line.reviews.deciding(session, subject(code)) as work:
        standing = work.standing(code)
        _require(line, standing, wanted)
        _require_no_proposal(work, code)
        number = work.propose(wanted.what, code, version, wanted.changes, reason)
        work.record(DecisionProposed(code, version, number, wanted.what, dict(wanted.changes), reason, session.staff))
        return number


def approve(line: Line, session: Session, number: int) -> Proposal:
    """Give the second word: what was proposed is done. Raises `NotPermitted` to whoever proposed it."""
    proposal = _find(line, number)
    if proposal.by == session.staff:
        raise NotPermitted("You proposed this: another has to approve it.")
    with line.reviews.deciding(session, subject(proposal.precinct)) as work:
        standing = work.standing(proposal.precinct)
        _require(line, standing, proposal)
        work.decide(proposal, "approved", "")
        work.record(*_done(line, standing, proposal, session.staff))
    return proposal


def decline(line: Line, session: Session, number: int, why: str) -> Proposal:
    """Say no to a proposal, or take one's own back."""
    proposal, reason = _find(line, number), read_reason(why)
    with line.reviews.deciding(session, subject(proposal.precinct)) as work:
        work.decide(proposal, "declined", reason)
        work.record(DecisionDeclined(proposal.precinct, proposal.version, number, reason, session.staff))
    return proposal


def reject(line: Line, session: Session, code: str, version: int, why: str) -> None:
    """Throw a held version out; the one before it, if any, is the report again. It can be opened again."""
    reason = read_reason(why)
    with line.reviews.deciding(session, subject(code)) as work:
        standing = work.standing(code)
        _require_current(standing, version)
        if not is_held(line, standing):
            raise Overtaken("This report counts: propose to reopen it first.")
        _require_no_proposal(work, code)
        work.record(ReportRejected(code, version, session.staff, reason))
        work.let_go()


def reopen_rejected(line: Line, session: Session, code: str, version: int, why: str) -> None:
    """Take a rejection back: the version is held again, and nothing of before is forgotten. Moves no total."""
    reason = read_reason(why)
    with line.reviews.deciding(session, subject(code)) as work:
        standing = work.standing(code)
        if version not in standing.rejected:
            raise Overtaken(f"Version {version} is not rejected.")
        if standing.current is not None and not is_held(line, standing):
            raise Overtaken("Another version counts meanwhile: propose to reopen that first.")
        _require_no_proposal(work, code)
        work.record(ReportReopened(code, version, session.staff, reason))
        work.let_go()


def call_back(line: Line, session: Session, code: str, version: int) -> None:
    """Have the number on file called, so that the chair hears a held version and says whether it is theirs."""
    with line.reviews.deciding(session, subject(code)) as work:
        standing = work.standing(code)
        _require_current(standing, version)
        if not is_held(line, standing):
            raise Overtaken("This report counts: there is nothing to ask the chair.")
        wanted: list[Event] = [CallBackRequested(code, "staff", version)]
        if version not in standing.unverified:
            wanted.insert(0, VerificationWanted(code, version, "staff"))
        work.record(*wanted)
        work.let_go()


def is_held(line: Line, standing: PrecinctStanding) -> bool:
    """Whether the current version is out of the totals, or will be once a worker has looked at it."""
    report = examined(line.contest, standing)
    if report.version in standing.accepted:
        return False
    kept = line.reports.kept(standing.precinct)
    is_kept = kept is not None and (kept.status, kept.version) == ("held", report.version)
    return report.status == "held" or is_kept or any(finding.severity == "hard" for finding in report.findings)


def read_reason(why: str) -> str:
    """A reason as it goes on record. Raises `FormRefused` for none, or one too long."""
    reason = " ".join(why.split())
    if not reason:
        raise FormRefused("Say why: the record needs a reason.")
    if len(reason) > LONGEST_REASON:
        raise FormRefused(f"The reason is too long: {LONGEST_REASON:,} characters at most.")
    return reason


def _find(line: Line, number: int) -> Proposal:
    found = line.reviews.find(number)
    if found is None:
        raise NotFound(f"There is no proposal {number}.")
    return found


def _require(line: Line, standing: PrecinctStanding, wanted: Wanted | Proposal) -> None:
    if wanted.what in ("close", "open", "reissue"):
        _require_site(standing, wanted.what)
        return
    _require_current(standing, wanted.version)
    held = is_held(line, standing)
    if wanted.what == "accept" and not held:
        raise Overtaken("This report counts already.")
    if wanted.what == "reopen" and held:
        raise Overtaken("This report is held already.")
    if wanted.what == "correct" and not wanted.changes:
        raise FormRefused("Nothing was changed.")


def _require_site(standing: PrecinctStanding, what: What) -> None:
    if what == "close" and standing.closed is not None:
        raise Overtaken("The site is closed already.")
    if what == "close" and standing.current is not None:
        raise Overtaken("The site has reported meanwhile: reject the report first.")
    if what == "open" and standing.closed is None:
        raise Overtaken("The site is open already.")


def _require_current(standing: PrecinctStanding, version: int) -> None:
    if standing.current is None:
        raise Overtaken("There is no report of this precinct any more that one could decide of.")
    if standing.current[1].version != version:
        raise Overtaken(f"Version {standing.current[1].version} has come since: look at it first.")


def _require_no_proposal(work: Deciding, code: str) -> None:
    if waiting := work.waiting(code):
        raise Overtaken(f"{waiting[0].by} has proposed something: decide that first.")


def _done(line: Line, standing: PrecinctStanding, proposal: Proposal, by: str) -> tuple[Event, ...]:
    """The events of an approved proposal."""
    code, version, why = proposal.precinct, proposal.version, proposal.why
    match proposal.what:
        case "accept":
            return (ReportAccepted(code, version, by, why, proposal.by),)
        case "reopen":
            return (ReportReopened(code, version, by, why, proposal.by),)
        case "correct":
            return _corrected(line, standing, proposal, by)
        case "close":
            return (SiteClosed(code, why, by, proposal.by),)
        case "open":
            return (SiteReopened(code, by, proposal.by),)
        case "reissue":
            return (PinReissueApproved(code, why, proposal.by, by),)


def _corrected(line: Line, standing: PrecinctStanding, proposal: Proposal, by: str) -> tuple[Event, ...]:
    assert standing.current is not None
    code, before = proposal.precinct, standing.current[1]
    sheet = corrected(line.contest, worksheet_of(before), proposal.changes)
    version = standing.next_version
    confirmed = ReportConfirmed(
        precinct=code,
        version=version,
        confirmation=line.numbers.confirmation(code, version),
        headcount=sheet.headcount or 0,
        first=sheet.first,
        final=sheet.final,
        delegates=sheet.delegates,
        origin="worksheet",
        kept=broken_rules(line, code, sheet),
        base=before.version,
    )
    told = ReportCorrected(code, version, before.version, proposal.changes, proposal.why, proposal.by, by)
    return confirmed, told


def broken_rules(line: Line, code: str, sheet: Worksheet) -> tuple[str, ...]:
    """The rules a worksheet breaks, by code."""
    found = of_worksheet(line.contest, code, sheet)
    return tuple(dict.fromkeys(finding.code for finding in found if finding.severity == "hard"))
