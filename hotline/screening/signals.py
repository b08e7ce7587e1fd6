"""What is known of a caller as plain values. The store reads them, `policy` judges; no number and no PIN is here.

What a number did is a list of `Mark`s read off the ledger, so that a score is worked out anew at each ring and nothing
is ever added up or forgotten to be taken away. Withheld callers have nothing in common: they have no marks at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

MarkKind = Literal[
    "rang",
    "hung-up",
    "dead-air",
    "unknown-code",
    "wrong-pin",
    "guess",
    "honeypot",
    "signed-in",
    "challenge-passed",
    "challenge-failed",
    "abusive",
    "genuine",
]
"""What a number did. `rang`: a call came in, answered or refused. `hung-up`: it ended within five seconds, keyless.

`dead-air`: two prompts without a key before the PIN. `unknown-code`: a well-formed code that is no precinct's.
`wrong-pin`: a PIN refused, judged or not. `guess`: that PIN fits a pattern of guessing. `honeypot`: a code printed
nowhere. `abusive` and `genuine` are the word of staff.
"""

EventState = Literal["calm", "watch", "attack"]
Threat = Literal["open", "guarded", "registered-only"]
Guessing = Literal["quiet", "alert", "call-back"]
"""How likely it has become that some guess of the night was right: see `states.guessing`."""


@dataclass(frozen=True)
class Mark:
    """One thing a number did: when (UTC), in which call, and for which precinct code ("" where none was keyed)."""

    kind: MarkKind
    at: datetime
    call: str
    precinct: str = ""


@dataclass(frozen=True)
class Neighbours:
    """What other numbers of the caller's block of a thousand (NPA-NXX-X) did in the last ten minutes.

    `strikes` are marks against them other than hang-ups, which come from poor connections and our own outages.
    """

    strikes: int = 0
    successes: int = 0


@dataclass(frozen=True)
class Conditions:
    """How the line stands when a call rings.

    `threat` is that of the number called. `live_calls` and `capacity` are calls at once; `capacity` 0 is not known;
    `live_strangers` are those of the live calls whose number is neither on file nor signed in.
    `staff_busy` is how many per cent of the staff are talking, None when nobody is on duty. `is_flooded`: the number
    called, or the line, had more calls within a minute than the policy says it can take.
    """

    state: EventState = "calm"
    threat: Threat = "open"
    live_calls: int = 0
    live_strangers: int = 0
    capacity: int = 0
    staff_busy: int | None = None
    is_flooded: bool = False


@dataclass(frozen=True)
class Recent:
    """A caller at the first ring.

    `marks` are the number's, oldest first, of the last 24 hours; the call that rings is not among them. `is_hurried`:
    it rang more often within a minute than the policy allows, by the fast count, which is False while Redis is away.
    `area` is the three digits of a North American number,
    "" for any other. `is_on_file`: registered for some precinct. `verstat` is the carrier's word, "passed-A" …
    "failed-C", "failed" or "none". `blocked_until` is a block staff set, None without one. `live` are other calls of
    that number right now. `is_outside_hours`: long before doors open or long after the close, see `hours`.
    `is_decoy_line`: the number called is printed nowhere.
    """

    at: datetime
    marks: tuple[Mark, ...] = ()
    is_hurried: bool = False
    is_withheld: bool = False
    area: str = ""
    is_on_file: bool = False
    verstat: str = "none"
    blocked_until: datetime | None = None
    live: int = 0
    is_outside_hours: bool = False
    is_decoy_line: bool = False
    neighbours: Neighbours = field(default_factory=Neighbours)
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def is_known(self) -> bool:
        """Whether the number is on file or has signed in tonight: a chair's, as far as a number can tell."""
        return self.is_on_file or any(mark.kind == "signed-in" for mark in self.marks)


@dataclass(frozen=True)
class PinAttempts:
    """What was tried before the sign-in that is about to be judged. An attempt still being judged counts as failed.

    `in_call`: failed in this call. `by_number`: failed from this caller's number in the last 24 hours,
    `by_number_lately` in the last 15 minutes; 0 for withheld numbers: they have nothing in common and are never counted
    as one caller. `has_passed`: this call keyed the three spoken digits. `on_precinct`: failed in a row on this
    precinct since a sign-in last succeeded, from numbers of the caller's kind: from those on file for the precinct when
    `is_chair_number`, from all others when not. `guessing` is of all precincts together. `is_contested`: the precinct
    is (AB-12); `is_full_of_held`: it has as many held reports open from numbers not on file as it may.
    """

    in_call: int = 0
    by_number: int = 0
    by_number_lately: int = 0
    has_passed: bool = False
    on_precinct: int = 0
    is_chair_number: bool = False
    guessing: Guessing = "quiet"
    is_contested: bool = False
    is_full_of_held: bool = False
