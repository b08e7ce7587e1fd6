"""Signs of abuse as plain counts. The store counts, `policy` judges; nothing here knows a number or a PIN."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PinAttempts:
    """What was tried before the sign-in that is about to be judged. An attempt still being judged counts as failed.

    `in_call`: failed in this call. `by_number`: failed from this caller's number in the last 24 hours, 0 for withheld
    numbers: they have nothing in common and are never counted as one caller. `on_precinct`: failed in a row on this
    precinct since a sign-in last succeeded, from numbers of the caller's kind: from those on file for the precinct when
    `is_chair_number`, from all others when not.
    """

    in_call: int = 0
    by_number: int = 0
    on_precinct: int = 0
    is_chair_number: bool = False
