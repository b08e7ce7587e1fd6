"""What staff decide of reports, calls and sites. `by` is the account, or the user of a command, whose word it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

What = Literal["accept", "correct", "reopen", "close", "open", "reissue"]
"""What takes two. Of a report: that it counts as it stands, that it reads otherwise, that it counts no more until it is
decided anew. Of a site: that it will not report, that it may after all, that it gets a new PIN."""


CallWord = Literal["genuine", "typo", "prank", "abusive", "unsure"]
"""What a call was, as staff see it."""


@dataclass(frozen=True)
class ReportAccepted:
    """Staff accepted a held version as it stands. `{"precinct": "00018", "version": 1, "by": "ana", "why": "…"}`.

    `proposed_by` is whose proposal it was, left out where a command accepted it.
    """

    precinct: str
    version: int
    by: str
    why: str
    proposed_by: str | None = None


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
class ReportCorrected:
    """A version was made by staff, as the worksheet says; its `ReportConfirmed` stands right before this.

    `{"precinct": "00018", "version": 2, "base": 1, "changes": {"first.Biden": 41}, "why": "columns moved over",
    "proposed_by": "ana", "by": "ben"}`. `changes` are the fields that differ from `base`.
    """

    precinct: str
    version: int
    base: int
    changes: Mapping[str, int]
    why: str
    proposed_by: str
    by: str


@dataclass(frozen=True)
class ReportReopened:
    """What staff decided of a version is to be decided anew; until then it is held. Nothing of before is forgotten.

    `{"precinct": "00018", "version": 2, "by": "ben", "why": "the chair sent a photograph", "proposed_by": "ana"}`.
    `proposed_by` is left out where the version was rejected, so that reopening it alone changes no total.
    """

    precinct: str
    version: int
    by: str
    why: str
    proposed_by: str | None = None


@dataclass(frozen=True)
class DecisionProposed:
    """One of staff proposed what takes two.

    `{"precinct": "00018", "version": 1, "proposal": 7, "what": "correct", "changes": {"first.Biden": 41}, "why": "…",
    "by": "ana"}`.
    """

    precinct: str
    version: int
    proposal: int
    what: What
    changes: Mapping[str, int]
    why: str
    by: str


@dataclass(frozen=True)
class DecisionDeclined:
    """A proposal came to nothing: another said no, or whoever made it took it back.

    `{"precinct": "00018", "version": 1, "proposal": 7, "why": "the worksheet says 14", "by": "ben"}`.
    """

    precinct: str
    version: int
    proposal: int
    why: str
    by: str


@dataclass(frozen=True)
class CallJudged:
    """Staff said what a flagged call was. The event's call is the one meant.

    `{"word": "prank", "why": "sang a song", "by": "ana", "is_marked": true}`; `is_marked`: it counts for the number.
    """

    word: CallWord
    why: str
    by: str
    is_marked: bool


@dataclass(frozen=True)
class CallUnjudged:
    """Staff took a word back: the call waits again. `{"word": "prank", "why": "it was a chair", "by": "ben"}`."""

    word: CallWord
    why: str
    by: str


@dataclass(frozen=True)
class NumberRevealed:
    """Staff had a caller's whole number shown. The event's call, if any, is the one it was of.

    `{"caller": "…1234", "why": "to call the chair back by hand", "by": "ana"}`.
    """

    caller: str
    why: str
    by: str


@dataclass(frozen=True)
class SiteClosed:
    """Staff closed a site, e.g. "did not convene". `{"precinct": "00018", "why": "did not convene", "by": "ana"}`.

    `proposed_by` is whose proposal it was, left out where a command did it; below likewise.
    """

    precinct: str
    why: str
    by: str
    proposed_by: str | None = None


@dataclass(frozen=True)
class SiteReopened:
    """Staff reopened a closed site. `{"precinct": "00018", "by": "ana"}`."""

    precinct: str
    by: str
    proposed_by: str | None = None


@dataclass(frozen=True)
class PinReissueApproved:
    """Two of staff gave a precinct a new PIN; the old one died. `{"precinct": "00018", "why": "packet lost",
    "proposed_by": "ana", "by": "ben"}`."""

    precinct: str
    why: str
    proposed_by: str
    by: str


Decision = (
    ReportAccepted
    | ReportRejected
    | ReportCorrected
    | ReportReopened
    | DecisionProposed
    | DecisionDeclined
    | CallJudged
    | CallUnjudged
    | NumberRevealed
    | SiteClosed
    | SiteReopened
    | PinReissueApproved
)
