"""What staff decide of reports and sites. `by` is the account, or the user of a command, whose word it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReportAccepted:
    """Staff accepted a held version as it stands. `{"precinct": "00018", "version": 1, "by": "ana", "why": "…"}`."""

    precinct: str
    version: int
    by: str
    why: str


@dataclass(frozen=True)
class ReportRejected:
    """Staff rejected a version; the one before it counts again.

    `{"precinct": "00018", "version": 2, "by": "ana", "why": "misread worksheet"}`.
    """

    precinct: str
    version: int
    by: str
    why: str


@dataclass(frozen=True)
class SiteClosed:
    """Staff closed a site, e.g. "did not convene". `{"precinct": "00018", "why": "did not convene", "by": "ana"}`."""

    precinct: str
    why: str
    by: str


@dataclass(frozen=True)
class SiteReopened:
    """Staff reopened a closed site. `{"precinct": "00018", "by": "ana"}`."""

    precinct: str
    by: str


Decision = ReportAccepted | ReportRejected | SiteClosed | SiteReopened
