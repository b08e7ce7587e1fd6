"""What can happen to a report that has to be verified, and to a call-back: the number on file is called, never another.

`request` is the call-back's number in the queue of call-backs. Telephone numbers are masked.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class VerificationWanted:
    """A version was given where doubt is in order: it is held until the chair or staff say that it is theirs.

    `{"precinct": "00018", "version": 1, "why": "contested"}`.
    """

    precinct: str
    version: int
    why: str


@dataclass(frozen=True)
class ReportVerified:
    """The chair, called at a number on file, said that the version is theirs, and keyed the correction code.

    `{"precinct": "00018", "version": 1}`.
    """

    precinct: str
    version: int


@dataclass(frozen=True)
class ReportDisputed:
    """The chair, called at a number on file, said that the version is not what they reported: it stays held, flagged.

    `{"precinct": "00018", "version": 1}`.
    """

    precinct: str
    version: int


@dataclass(frozen=True)
class CallBackRequested:
    """The number on file is to be called. `{"precinct": "00018", "why": "contested", "version": 1}`.

    `why` is one of "contested" (a version to be verified), "limit" (PINs from other numbers are judged no more), "slow"
    (the one sign-in of a doubtful caller failed), "silence" (a code was keyed, and then no key was heard), "doubted"
    (the number may be forged, and whoever called did not get in), "lost" (the number called again and again, and never
    got in), "promised" (nobody was free for a chair, or the line had no room). `version` is left out where there is
    none to verify.
    """

    precinct: str
    why: str
    version: int | None = None


@dataclass(frozen=True)
class CallBackPlaced:
    """A number on file is being called. `{"precinct": "00018", "request": 7, "number": "…0101"}`."""

    precinct: str
    request: int
    number: str


@dataclass(frozen=True)
class CallBackAnswered:
    """The called number picked up: a person, or a machine. `{"precinct": "00018", "request": 7}`."""

    precinct: str
    request: int


@dataclass(frozen=True)
class CallBackFailed:
    """The call-back reached nobody, or was not made in time. `{"precinct": "00018", "request": 7, "why": "no-answer"}`.

    `why` is the carrier's word ("busy", "no-answer", "failed", "canceled"), "refused" when the carrier would not call,
    "no-number" when none is on file, "expired", or "unknown" when nobody has said what became of the call.
    """

    precinct: str
    request: int
    why: str


@dataclass(frozen=True)
class NoticeWanted:
    """The numbers on file are to be told by text. `{"precinct": "00018", "why": "failures-elsewhere"}`.

    `why` is "failures-elsewhere" (somebody signed in after others had failed) or "possible-spoof" (somebody called from
    a number of theirs, and the carrier's check of it failed).
    """

    precinct: str
    why: str


Verification = (
    VerificationWanted
    | ReportVerified
    | ReportDisputed
    | CallBackRequested
    | CallBackPlaced
    | CallBackAnswered
    | CallBackFailed
    | NoticeWanted
)
