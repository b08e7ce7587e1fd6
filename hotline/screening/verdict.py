"""What the screening decides of a ringing call, with its reasons: values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Decision = Literal["admit", "challenge", "slow", "message", "reject"]
"""Let in; three spoken digits first; one sign-in and no person; a spoken sentence and the end; not answered at all."""

Lane = Literal["chair-attested", "chair", "unknown", "challenged", "slow"]
"""L1 on file and vouched for by the carrier; L2 on file, or signed in tonight; L3 anybody else; L4, L5 as named."""


@dataclass(frozen=True)
class Verdict:
    """How a call is met. `parts` are the points by feature code ("AB-01": 20); `reasons` the codes that decided, most
    telling first: features, and rules of the ladder ("GR-08"). `policy` is the version of the policy file that judged.

    `flags` are for staff: "possible-spoof", "two-live-calls".
    """

    decision: Decision
    lane: Lane
    score: int = 0
    parts: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    policy: str = ""
    flags: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The verdict, ready for JSON."""
        return dict(vars(self))
