"""Folds: what a precinct's events come to. Pure; the ledger hands events in order of `seq`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hotline.events.decisions import ReportAccepted, ReportRejected, ReportReopened, SiteClosed, SiteReopened
from hotline.events.kinds import Event, ReportConfirmed
from hotline.events.verification import ReportVerified, VerificationWanted


@dataclass(frozen=True)
class Recorded:
    """An event as the ledger holds it.

    `at` is UTC in ISO 8601; `call` and `precinct` are "" where they do not apply.
    """

    seq: int
    at: str
    call: str
    precinct: str
    event: Event


@dataclass(frozen=True)
class PrecinctStanding:
    """Where one precinct stands: every confirmed version, what staff said of them, and whether the site is closed."""

    precinct: str
    versions: tuple[tuple[int, ReportConfirmed], ...] = ()
    """(seq, version as confirmed), oldest first."""
    accepted: frozenset[int] = frozenset()
    rejected: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()
    """Versions that were given where doubt was in order."""
    verified: frozenset[int] = frozenset()
    """Versions the chair, called at a number on file, said are theirs."""
    reopened: frozenset[int] = frozenset()
    """Versions staff decided of and are to decide anew: held until they do, whoever else has a word on them."""
    closed: str | None = None
    """Why staff closed the site, or None."""

    @property
    def current(self) -> tuple[int, ReportConfirmed] | None:
        """The newest version staff have not rejected, with its seq; None when nothing counts."""
        return next((v for v in reversed(self.versions) if v[1].version not in self.rejected), None)

    @property
    def unverified(self) -> frozenset[int]:
        """Versions to be held until the chair, called back, or staff say that they stand."""
        return self.doubted - self.verified - self.accepted - self.rejected

    @property
    def next_version(self) -> int:
        """The number the next confirmed version gets, from 1."""
        return self.versions[-1][1].version + 1 if self.versions else 1

    @property
    def rivals(self) -> tuple[ReportConfirmed, ...]:
        """The versions the current one neither corrects nor was told of, newest first: whoever gave it knew of none.

        A rejected version is nobody's rival. What staff accepted settles what was before it, and so does a correction
        of the version that was the newest.
        """
        standing = [version for _, version in reversed(self.versions) if version.version not in self.rejected]
        if not standing:
            return ()
        known, found = self._line_of(standing[0]), []
        for version in standing[1:]:
            if version.version in known:
                break
            found.append(version)
            if version.version in self.accepted:
                break
            known |= self._line_of(version)
        return tuple(found)

    def _line_of(self, version: ReportConfirmed) -> set[int]:
        """The version it corrects, the one that one corrects, and so on to a report of its own."""
        bases = {each.version: each.base for _, each in self.versions}
        line, base = set[int](), version.base
        while base in bases and base not in line:
            line.add(base)
            base = bases[base]
        return line


def apply(standing: PrecinctStanding, recorded: Recorded) -> PrecinctStanding:
    """The standing after one more event. Events that do not move a precinct leave it as it was."""
    event = recorded.event
    match event:
        case ReportConfirmed():
            if any(event.version == version.version for _, version in standing.versions):
                return standing
            return replace(standing, versions=(*standing.versions, (recorded.seq, event)), closed=None)
        case ReportAccepted() | ReportRejected() | ReportReopened():
            return _judged(standing, event)
        case VerificationWanted() | ReportVerified():
            return _in_doubt(standing, event)
        case SiteClosed():
            return replace(standing, closed=event.why)
        case SiteReopened():
            return replace(standing, closed=None)
        case _:
            return standing


def _judged(standing: PrecinctStanding, event: ReportAccepted | ReportRejected | ReportReopened) -> PrecinctStanding:
    """The last word on a version is the one that stands."""
    of = frozenset({event.version})
    accepted, rejected, reopened = standing.accepted - of, standing.rejected - of, standing.reopened - of
    match event:
        case ReportAccepted():
            return replace(standing, accepted=accepted | of, rejected=rejected, reopened=reopened)
        case ReportRejected():
            return replace(standing, accepted=accepted, rejected=rejected | of, reopened=reopened)
        case ReportReopened():
            return replace(standing, accepted=accepted, rejected=rejected, reopened=reopened | of)


def _in_doubt(standing: PrecinctStanding, event: VerificationWanted | ReportVerified) -> PrecinctStanding:
    if isinstance(event, ReportVerified):
        return replace(standing, verified=standing.verified | {event.version})
    return replace(standing, doubted=standing.doubted | {event.version})


def fold(precinct: str, history: Iterable[Recorded]) -> PrecinctStanding:
    """The standing of one precinct from its events, in order of seq. Running twice gives the same."""
    standing = PrecinctStanding(precinct)
    for recorded in history:
        standing = apply(standing, recorded)
    return standing
