"""Folds: what a precinct's events come to. Pure; the ledger hands events in order of `seq`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hotline.events.kinds import (
    Event,
    ReportAccepted,
    ReportConfirmed,
    ReportRejected,
    SiteClosed,
    SiteReopened,
)


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
    closed: str | None = None
    """Why staff closed the site, or None."""

    @property
    def current(self) -> tuple[int, ReportConfirmed] | None:
        """The newest version staff have not rejected, with its seq; None when nothing counts."""
        return next((v for v in reversed(self.versions) if v[1].version not in self.rejected), None)

    @property
    def next_version(self) -> int:
        """The number the next confirmed version gets, from 1."""
        return self.versions[-1][1].version + 1 if self.versions else 1


def apply(standing: PrecinctStanding, recorded: Recorded) -> PrecinctStanding:
    """The standing after one more event. Events that do not move a precinct leave it as it was."""
    event = recorded.event
    match event:
        case ReportConfirmed():
            if any(event.version == version.version for _, version in standing.versions):
                return standing
            return replace(standing, versions=(*standing.versions, (recorded.seq, event)), closed=None)
        case ReportAccepted():
            return replace(standing, accepted=standing.accepted | {event.version})
        case ReportRejected():
            return replace(standing, rejected=standing.rejected | {event.version})
        case SiteClosed():
            return replace(standing, closed=event.why)
        case SiteReopened():
            return replace(standing, closed=None)
        case _:
            return standing


def fold(precinct: str, history: Iterable[Recorded]) -> PrecinctStanding:
    """The standing of one precinct from its events, in order of seq. Running twice gives the same."""
    standing = PrecinctStanding(precinct)
    for recorded in history:
        standing = apply(standing, recorded)
    return standing
