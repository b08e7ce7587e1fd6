"""Confirmation numbers: six digits that name one version of one precinct's report, and no other.

Five digits and a Damm check digit. The five are a keyed permutation of (precinct, version): no two versions share one,
nothing has to be kept to find it again, and without HOTLINE_SECRET_KEY nobody can work out another's. The precinct
enters by the four digits of its code and not by its place in the roster, so that a roster that grows on the night
changes none already given out. That leaves ten versions a precinct; whoever wants an eleventh talks to a person.
"""

from __future__ import annotations

import hashlib
import hmac

from hotline.caucus.codes import is_valid, with_check_digit
from hotline.errors import HotlineError

VERSIONS = 10
_SLOTS = 10_000 * VERSIONS
_HALF = 317
"""Two halves of 317 cover the slots, 317 squared being 100,489."""
_ROUNDS = 8


class NoNumberLeft(HotlineError):
    """The precinct's report has been corrected so often that its numbers are used up: the caller goes to a person."""

    status = 409


class Numbers:
    """Confirmation numbers under one key; guards the key."""

    def __init__(self, secret_key: str) -> None:
        self._key = hashlib.sha256(b"hotline confirmation numbers:" + secret_key.encode()).digest()

    def confirmation(self, precinct: str, version: int) -> str:
        """The confirmation number of a version, from 1, of a precinct's report. Raises `NoNumberLeft`."""
        if not is_valid(precinct) or len(precinct) != 5:
            raise ValueError(f"{precinct} is no precinct code")
        if not 1 <= version <= VERSIONS:
            raise NoNumberLeft(f"{precinct}: version {version} has no confirmation number; there are {VERSIONS}")
        slot = self._permuted(int(precinct[:4]) * VERSIONS + version - 1)
        while slot >= _SLOTS:  # the few values outside the slots are walked through; every slot comes back in
            slot = self._permuted(slot)
        return with_check_digit(f"{slot:05}")

    def _permuted(self, value: int) -> int:
        """A Feistel network over two halves: a permutation whatever the round function is."""
        left, right = divmod(value, _HALF)
        for turn in range(_ROUNDS):
            left, right = right, (left + self._mixed(turn, right)) % _HALF
        return left * _HALF + right

    def _mixed(self, turn: int, half: int) -> int:
        mark = hmac.digest(self._key, f"{turn}:{half}".encode(), "sha256")
        return int.from_bytes(mark[:8])
