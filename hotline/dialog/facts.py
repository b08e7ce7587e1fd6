"""What the dialog must be told from outside before it can take a caller's keys: the seam that keeps the machine pure.

`machine.inquire` says which fact the keys call for; `services.intake` finds it out; `machine.step` is given `Facts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hotline.events.standing import PrecinctStanding


@dataclass(frozen=True)
class Heard:
    """What the carrier sent for one question.

    `keys` is None when it sent no `Digits` at all, "" when nothing or the pound alone was pressed. `timed_out` is True
    when time ended the answer, False when the pound did (or the carrier does not say: taken as the pound).
    """

    keys: str | None
    timed_out: bool = False


@dataclass(frozen=True)
class PinCheck:
    """The machine has a code and a PIN (digits as keyed, well formed) and must know whether they match."""

    precinct: str
    pin: str


@dataclass(frozen=True)
class CorrectionCheck:
    """The machine has a correction code, four digits, and must know whether it is the packet's."""

    precinct: str
    code: str


@dataclass(frozen=True)
class NumberWanted:
    """The report is confirmed by these keys: the machine must know the version and its confirmation number."""

    precinct: str


@dataclass(frozen=True)
class ChallengeWanted:
    """The machine needs three fresh random digits to speak."""


Inquiry = PinCheck | CorrectionCheck | NumberWanted | ChallengeWanted


@dataclass(frozen=True)
class HalfGiven:
    """A report left unfinished: the call that holds it and its draft as that call's session stored it (JSON)."""

    call: str
    draft: Mapping[str, Any]


@dataclass(frozen=True)
class Facts:
    """Answers to the inquiry, and what else may have changed since the last turn.

    `sign_in`: "refused" (same words whatever the reason), "person" when this number or call has used up its tries, or
    "challenge" with the digits for it when the number has failed too often lately. `pattern` is the one of guessing
    that a refused PIN fits. `standing` and `half_given` come with an accepted sign-in; `is_doubtful` says that what it
    confirms is to be verified, `failed_elsewhere` that other phones failed at the precinct before it. `has_staff`:
    staff have time for a slow caller. `taken_over`: a newer call signed in for the report.
    """

    taken_over: bool = False
    sign_in: Literal["accepted", "refused", "person", "challenge"] | None = None
    refusal: Literal["unknown-code", "wrong-pin", "limit"] | None = None
    pattern: str = ""
    standing: PrecinctStanding | None = None
    half_given: HalfGiven | None = None
    correction: Literal["accepted", "refused"] | None = None
    version: int | None = None
    confirmation: str | None = None
    challenge: str | None = None
    is_doubtful: bool = False
    failed_elsewhere: bool = False
    has_staff: bool = False
