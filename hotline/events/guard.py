"""What is decided of callers before they are heard, by the screening and by staff: every decision is on record.

Telephone numbers are masked; `key` is a number's keyed mark, the same for the same number, by which staff find it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class CallScreened:
    """How a call was met at its first ring, let in or not, and why.

    `{"decision": "challenge", "lane": "challenged", "score": 45, "parts": {"AB-04": 45}, "reasons": ["AB-04"],
    "policy": "2020-1", "flags": [], "told": "Challenged (score 45): wrong PINs within an hour."}`. `policy` is the
    version of the policy file that judged, `told` the decision in one sentence.
    """

    decision: str
    lane: str
    score: int
    parts: Mapping[str, int]
    reasons: tuple[str, ...]
    policy: str
    flags: tuple[str, ...]
    told: str = ""


@dataclass(frozen=True)
class CallerBlocked:
    """Staff had a number's calls refused until an instant.

    `{"caller": "…1234", "key": "9f…", "until": "2020-02-04T07:02:11.123Z", "why": "abusive", "by": "ana"}`.
    """

    caller: str
    key: str
    until: str
    why: str
    by: str


@dataclass(frozen=True)
class CallerUnblocked:
    """Staff lifted a number's block. `{"caller": "…1234", "key": "9f…", "why": "a chair's phone", "by": "ana"}`."""

    caller: str
    key: str
    why: str
    by: str


@dataclass(frozen=True)
class CallerMarked:
    """Staff said what a number is used for; `extends` is who said ill of it before, while that counted, else "".

    `{"caller": "…1234", "key": "9f…", "word": "abusive", "why": "swore at an agent", "by": "ana", "extends": ""}`.
    `word` is "abusive", "prank" or "genuine", which takes back what was said before and counted before.
    """

    caller: str
    key: str
    word: str
    why: str
    by: str
    extends: str


@dataclass(frozen=True)
class EventStateChanged:
    """The night went from one state to another; `by` is "line" where it happened by itself.

    `{"state": "attack", "before": "calm", "why": "60 sign-ins failed, 4 did not, in 10 minutes", "by": "line"}`.
    """

    state: str
    before: str
    why: str
    by: str


@dataclass(frozen=True)
class ThreatChanged:
    """Staff changed who may call one of the line's numbers.

    `{"called": "…0000", "threat": "guarded", "before": "open", "why": "packet photographed", "by": "ana"}`.
    """

    called: str
    threat: str
    before: str
    why: str
    by: str


@dataclass(frozen=True)
class PolicyChanged:
    """Another policy judges from here on. `{"policy": "2020-2", "digest": "5e…"}`; `digest` is the file's SHA-256."""

    policy: str
    digest: str


Guard = (
    CallScreened | CallerBlocked | CallerUnblocked | CallerMarked | EventStateChanged | ThreatChanged | PolicyChanged
)
