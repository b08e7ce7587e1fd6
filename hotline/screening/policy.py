"""Who gets through, and how: pure judgements on counts. A number or its attestation orders callers, it proves nobody.

What other callers do to a precinct never stops its chair numbers: each kind of number has a ceiling of its own.
"""

from __future__ import annotations

from typing import Literal

from hotline.screening.signals import PinAttempts

Gate = Literal["evaluate", "limit", "person"]
"""Judge the PIN; refuse it unjudged in the same words as a wrong one; or hand the caller to a person."""

Lane = Literal["chair-attested", "chair", "unknown"]
"""On file and vouched for by the carrier; on file; anybody else. Challenged and slowed callers come with the ladder."""

PER_CALL = 3
PER_NUMBER_A_DAY = 10
PER_PRECINCT_UNREGISTERED = 10
PER_PRECINCT_CHAIRS = 20


def pin_gate(attempts: PinAttempts) -> Gate:
    """Whether one more PIN is judged, after the attempts counted so far.

    A call's third wrong sign-in, a number's tenth in a day and a precinct's twentieth from its own chair numbers were
    the last: then a person. The tenth in a row from other numbers ends the judging of PINs from such numbers on that
    precinct, which nobody is told.
    """
    if attempts.in_call >= PER_CALL or attempts.by_number >= PER_NUMBER_A_DAY:
        return "person"
    if attempts.is_chair_number:
        return "person" if attempts.on_precinct >= PER_PRECINCT_CHAIRS else "evaluate"
    return "limit" if attempts.on_precinct >= PER_PRECINCT_UNREGISTERED else "evaluate"


def lane(*, is_on_file: bool, verstat: str) -> Lane:
    """The lane of a new call. `verstat` is the carrier's word: "passed-A", "failed-B", "failed", "none" …

    Only a passed A is vouched for. A number on file whose check failed may be forged: it gets no lane of its own.
    """
    if not is_on_file or verstat.startswith("failed"):
        return "unknown"
    return "chair-attested" if verstat == "passed-A" else "chair"
