"""What changes on a simulated night: a call under way, and how far a caller is."""

from __future__ import annotations

from dataclasses import dataclass, field

from hotline.practice.simulated.history import Ringing
from hotline.practice.simulated.people import Plan
from hotline.practice.simulated.talk import Answer, Place, Step
from hotline.practice.simulated.tally import Outcome
from hotline.screening.policy import FORGED
from hotline.screening.verdict import Verdict


@dataclass(eq=False)
class Live:
    """A call under way. `caller` is its place in the crowd, `verdict` how it was met, `step` None when not answered."""

    caller: int
    plan: Plan
    ringing: Ringing
    verdict: Verdict
    place: Place
    step: Step | None = None
    answer: Answer | None = None
    has_passed: bool = False

    @property
    def is_doubted(self) -> bool:
        """Whether the number may be forged, and stands for no precinct."""
        return FORGED in self.verdict.flags

    @property
    def is_known(self) -> bool:
        """Whether the number was on file or had signed in when it rang."""
        return any(rule in self.verdict.reasons for rule in ("LN-01", "LN-02", "LN-05"))


@dataclass
class Standing:
    """How far a chair is: calls made, reports given, decisions met, and how the report comes in."""

    calls: int = 0
    reported: int = 0
    met: set[str] = field(default_factory=set)
    outcome: Outcome = "not at all"
