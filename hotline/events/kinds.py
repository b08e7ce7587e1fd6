"""What can happen on the line: one frozen dataclass per event, past tense. No PIN and no whole phone number is in any.

An event is stored as its class name (`kind`) and its fields as JSON (`body`); `precinct` is a precinct code throughout.
The ledger adds `seq`, `at` and the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict, get_type_hints

from hotline.events.decisions import Decision
from hotline.events.guard import Guard
from hotline.events.staff import Staff
from hotline.events.verification import Verification

Alignment = Literal["first", "final"]
Origin = Literal["rule", "chance", "worksheet"]
"""Where a report's delegates come from: the rule's only outcome, chance among several, or as the worksheet says."""


class Counted(TypedDict):
    """What the rules saw where ballots were cast early: the numbers keyed for the room with the ballots folded in.

    `{"headcount": 118, "first": {"Biden": 14}, "final": {"Biden": 18}}`; tallies of zero may be absent.
    """

    headcount: int
    first: Mapping[str, int]
    final: Mapping[str, int]


@dataclass(frozen=True)
class CallAnswered:
    """The line answered. `{"caller": "…1234", "called": "…0000", "lane": "unknown"}`; both numbers masked."""

    caller: str
    called: str
    lane: str


@dataclass(frozen=True)
class ChallengePassed:
    """The caller keyed the three spoken digits. `{}`."""


@dataclass(frozen=True)
class ChallengeFailed:
    """The caller missed the three spoken digits twice. `{}`."""


@dataclass(frozen=True)
class SignInFailed:
    """A code and a PIN did not match, or were not evaluated any more. `{"precinct": "00018", "reason": "wrong-pin"}`.

    `reason` is one of "unknown-code", "wrong-pin", "limit"; the caller hears the same words for each. `pattern` names
    the pattern of guessing the PIN fits, "" for none.
    """

    precinct: str
    reason: str
    pattern: str = ""


@dataclass(frozen=True)
class ChairSignedIn:
    """A code and its PIN were accepted. `{"precinct": "00018"}`."""

    precinct: str


@dataclass(frozen=True)
class ReportStarted:
    """A new report was begun for the precinct; a half-given one, if any, is left behind. `{"precinct": "00018"}`."""

    precinct: str


@dataclass(frozen=True)
class ReportResumed:
    """A half-given report goes on where it stopped. `{"precinct": "00018", "from_call": "CA…"}`."""

    precinct: str
    from_call: str


@dataclass(frozen=True)
class CorrectionOpened:
    """The correction code was accepted: the filed report may be changed. `{"precinct": "00018", "version": 1}`.

    `version` is the version that is being corrected.
    """

    precinct: str
    version: int


@dataclass(frozen=True)
class CorrectionRefused:
    """A wrong correction code. `{"precinct": "00018"}`."""

    precinct: str


@dataclass(frozen=True)
class HeadcountGiven:
    """The headcount as keyed. `{"precinct": "00018", "count": 104}`."""

    precinct: str
    count: int


@dataclass(frozen=True)
class TallyGiven:
    """One group's tally as keyed. `{"precinct": "00018", "alignment": "first", "group": "Biden", "count": 12}`."""

    precinct: str
    alignment: Alignment
    group: str
    count: int


@dataclass(frozen=True)
class DelegatesGiven:
    """One group's delegates as keyed from the worksheet. `{"precinct": "00018", "group": "Biden", "count": 2}`."""

    precinct: str
    group: str
    count: int


@dataclass(frozen=True)
class DelegatesSettled:
    """The split by rule, or the outcome of chance the chair named, was accepted whole.

    `{"precinct": "00018", "origin": "rule", "delegates": {"Biden": 2, "Sanders": 3}}`.
    """

    precinct: str
    origin: Origin
    delegates: Mapping[str, int]


@dataclass(frozen=True)
class FindingsKept:
    """A broken rule was named and the numbers kept. `{"precinct": "00018", "section": "final", "findings": ["…"]}`."""

    precinct: str
    section: str
    findings: tuple[str, ...]


@dataclass(frozen=True)
class ReportConfirmed:
    """A whole report was read back and confirmed: this is a version. Tallies of zero may be absent.

    `{"precinct": "00018", "version": 1, "confirmation": "123450", "headcount": 104, "first": {"Biden": 12},
    "final": {"Biden": 15}, "delegates": {"Biden": 2}, "origin": "rule", "kept": [], "base": 0}`.
    `base` is the version it corrects, 0 for a report of its own. Headcount and tallies are those keyed; where early
    ballots were cast, `counted` has the folded figures that were read out beside them, elsewhere it is left out.
    """

    precinct: str
    version: int
    confirmation: str
    headcount: int
    first: Mapping[str, int]
    final: Mapping[str, int]
    delegates: Mapping[str, int]
    origin: Origin
    kept: tuple[str, ...] = ()
    base: int = 0
    counted: Counted | None = None


@dataclass(frozen=True)
class CallTakenOver:
    """A newer call signed in for the same half-given report, so this one ended. `{"precinct": "00018"}`."""

    precinct: str


@dataclass(frozen=True)
class PersonCalledFor:
    """The caller goes to a person. `{"precinct": "00018", "why": "star"}`; `precinct` is "" before the PIN.

    `why` is one of "star", "silence", "nonsense", "sign-in", "correction-code", "not-recorded".
    """

    precinct: str
    why: str


@dataclass(frozen=True)
class CallBackPromised:
    """No person could be reached; the number on file will be called. `{"precinct": "00018"}`; "" when not known."""

    precinct: str


@dataclass(frozen=True)
class CallEnded:
    """The carrier reported the end of the call. `{"status": "completed", "state": "first.Biden", "seconds": 182}`."""

    status: str
    state: str
    seconds: int


Event = (
    CallAnswered
    | ChallengePassed
    | ChallengeFailed
    | SignInFailed
    | ChairSignedIn
    | ReportStarted
    | ReportResumed
    | CorrectionOpened
    | CorrectionRefused
    | HeadcountGiven
    | TallyGiven
    | DelegatesGiven
    | DelegatesSettled
    | FindingsKept
    | ReportConfirmed
    | CallTakenOver
    | PersonCalledFor
    | CallBackPromised
    | CallEnded
    | Decision
    | Guard
    | Staff
    | Verification
)

KINDS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in Event.__args__}
_TUPLES = {
    name: tuple(f.name for f in fields(kind) if str(get_type_hints(kind)[f.name]).startswith("tuple"))
    for name, kind in KINDS.items()
}


def kind_of(event: Event) -> str:
    """The stored name of an event's class."""
    return type(event).__name__


def to_body(event: Event) -> dict[str, Any]:
    """The event's fields, ready for JSON; those that say nothing (None) are left out."""
    return {name: value for name, value in vars(event).items() if value is not None}


def from_body(kind: str, body: Mapping[str, Any]) -> Event:
    """The event that was stored as `kind` and `body`. An unknown kind raises KeyError: a newer ledger than the code."""
    lists = {name: tuple(body[name]) for name in _TUPLES[kind] if name in body}
    return KINDS[kind](**{**body, **lists})
