"""Who calls on a simulated night, as values: a telephone, what one call will be like, and a caller with all calls.

Everything a caller will do is drawn before the night, so that the same crowd can call twice, screened and not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Manner = Literal["keys", "silent", "person", "anything"]
"""Keys codes and PINs; says nothing the line can hear; asks for a person; presses what comes to hand."""


@dataclass(frozen=True)
class Phone:
    """A telephone: its number in E.164 ("" when withheld), what the carrier says of it, what it is on file for.

    `area` is "" outside North America. `keeps_own_hours`: on file for a satellite abroad.
    """

    number: str
    verstat: str
    area: str = ""
    on_file: tuple[str, ...] = ()
    keeps_own_hours: bool = False


@dataclass(frozen=True)
class Plan:
    """What one call will be like.

    `at`: seconds after the doors opened for a prank; for a chair's first call too, and after the last call ended for
    its others. `tries`: codes and PINs to key in order; a chair's true pair comes last. `slips`: answers keyed before
    the first code that time cuts off or that fail the check digit. `entries`: what is pressed by whoever presses
    anything. `pace`: seconds to find and key an answer. `lasts`: seconds after which the line is lost or the caller
    hangs up, None without end. `breaks_off`: seconds into a report at which the call is lost. `challenges`: whether
    the first and the second try at the three digits are right. `talk`: seconds with a person, if one is reached.
    """

    at: float
    manner: Manner
    pace: float
    tries: tuple[tuple[str, str], ...] = ()
    slips: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    lasts: float | None = None
    breaks_off: float | None = None
    challenges: tuple[bool, bool] = (True, True)
    talk: float = 0.0
    is_marked: bool = False


@dataclass(frozen=True)
class Caller:
    """A chair or a prankster. `kinds`: a prankster's kind, a chair's traits. `errands`: codes and PINs to report."""

    kinds: tuple[str, ...]
    phone: Phone
    plans: tuple[Plan, ...]
    errands: tuple[tuple[str, str], ...] = ()
    report_takes: float = 0.0

    @property
    def is_chair(self) -> bool:
        """Whether there is a report to give."""
        return bool(self.errands)
