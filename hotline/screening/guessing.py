"""PINs as people guess them (AB-06): by the look of one, or by how it goes with those tried before.

No PIN is kept to compare with: the store keeps keyed fingerprints and compares those of a PIN's neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

STRIDES = (1, 11, 111)
"""What guessers add or take away to come to the next PIN."""

# fmt: off
FAVOURITES = frozenset((
    "12345678", "11111111", "88888888", "87654321", "00000000", "12341234", "69696969", "12121212", "11223344",
    "12344321", "77777777", "99999999", "22222222", "55555555", "33333333", "44444444", "66666666", "11112222",
    "13131313", "10041004",
))
# fmt: on
"""The twenty eight-digit PINs people choose most (N. Berry, "PIN analysis", datagenetics.com, 2012)."""


@dataclass(frozen=True)
class Tried:
    """A refused PIN of the same number, or of the same call when it is withheld: where, and its fingerprint."""

    precinct: str
    fingerprint: str


@dataclass(frozen=True)
class Match:
    """Why a PIN seems guessed. `follows` are the places in what was tried of those it goes with: guesses too."""

    why: str
    follows: tuple[int, ...] = ()


def match(precinct: str, pin: str, tried: Sequence[Tried], fingerprint: Callable[[str], str]) -> Match | None:
    """Whether a refused PIN fits a pattern: its look, a step from one tried before, or one sprayed over precincts.

    The same wrong PIN again on the same precinct is a misread packet and fits none.
    """
    if why := looks_guessed(pin):
        return Match(why)
    own = fingerprint(pin)
    if sprayed := _places(each.fingerprint == own and each.precinct != precinct for each in tried):
        return Match("the same on several precincts", sprayed)
    near = {fingerprint(step) for step in steps(pin)}
    if stepped := _places(each.fingerprint in near for each in tried):
        return Match("a step from one before", stepped)
    return None


def looks_guessed(pin: str) -> str:
    """What makes a PIN look thought up, "" for nothing. Any text may be asked about."""
    if len(pin) < 4 or not (pin.isascii() and pin.isdigit()):
        return ""
    looks = (
        ("one digit repeated", len(set(pin)) == 1),
        ("a run", _is_run(pin) or (_is_run(pin[::2]) and pin[::2] == pin[1::2])),
        ("the same forwards and backwards", pin == pin[::-1]),
        ("a part repeated", any(pin == pin[:part] * (len(pin) // part) for part in range(1, len(pin) // 2 + 1))),
        ("among the most chosen", pin in FAVOURITES),
    )
    return next((name for name, is_so in looks if is_so), "")


def steps(pin: str) -> tuple[str, ...]:
    """The PINs one stride away, with as many digits; past the last comes the first. None for what is no number."""
    if not (pin.isascii() and pin.isdigit()):
        return ()
    return tuple(f"{(int(pin) + sign * stride) % 10 ** len(pin):0{len(pin)}}" for stride in STRIDES for sign in (1, -1))


def _is_run(digits: str) -> bool:
    """Each digit one up, or each one down; after 9 comes 0."""
    return {(int(after) - int(before)) % 10 for before, after in pairwise(digits)} in ({1}, {9})


def _places(found: Iterable[bool]) -> tuple[int, ...]:
    return tuple(place for place, is_found in enumerate(found) if is_found)
