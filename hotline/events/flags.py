"""Which events put a call before people's eyes, how urgently, and by which reason. Pure.

`risk` is on the scale of the screening's score. Reasons are its codes, or words of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotline.events.guard import CallScreened
from hotline.events.kinds import Event, PersonCalledFor, SignInFailed
from hotline.events.verification import ReportDisputed, VerificationWanted

LEAST, SLIP = 30, 15
"""What the screening challenges at; what it counts a wrong PIN for: most are a slip of the finger."""


@dataclass(frozen=True)
class Flag:
    """Why a person should look at a call."""

    risk: int
    reasons: tuple[str, ...]


def flag_of(event: Event) -> Flag | None:
    """The flag an event of a call raises; None for most."""
    match event:
        case CallScreened():
            is_doubted = event.decision != "admit" or event.flags
            return Flag(max(event.score, LEAST), (*event.flags, *event.reasons)) if is_doubted else None
        case SignInFailed():
            return Flag(60, ("guess",)) if event.pattern else Flag(SLIP, (event.reason,))
        case PersonCalledFor():
            return Flag(LEAST, (event.why,)) if event.why in ("sign-in", "correction-code") else None
        case VerificationWanted():
            return Flag(60, (event.why,))
        case ReportDisputed():
            return Flag(100, ("disputed",))
        case _:
            return None
