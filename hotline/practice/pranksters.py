"""Simulated callers with no report to give: they hang up, say nothing, guess, press at random or ask for a person.

None is told a PIN, and none keeps on long enough to use up the tries of a number or a precinct, so whose call comes
first changes nothing. The shares are assumptions to exercise the line with, never evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hotline.clock import Source
from hotline.practice.gather import KEYS, Press
from hotline.practice.listening import Ear

Kind = Literal["hangs up", "is silent", "guesses", "presses anything", "wants a person"]

SHARES: Mapping[Kind, int] = {
    "hangs up": 30,
    "is silent": 20,
    "guesses": 25,
    "presses anything": 15,
    "wants a person": 10,
}
"""Of every hundred pranks."""

WITHHELD = ("anonymous", "+266696687", "Restricted", "")
WITHHELD_SHARE = 0.15
CALLS_A_NUMBER = 3
"""Calls one prankster's number makes, at most: with `TRIES` below the ten wrong PINs that end a number's evening."""
TRIES = 2
OBVIOUS_PINS = ("12345678", "00000000", "11111111", "20200203", "87654321")
AREAS = ("212", "312", "402", "507", "605", "608", "816", "917")
ANYTHING = sorted(KEYS)
ENOUGH = 12
"""Questions after which somebody who presses anything has had enough."""


@dataclass
class Prankster:
    """One prank call. `guesses` are the codes and PINs to try; `entries` what is pressed, question by question."""

    kind: Kind
    number: str
    ear: Ear
    guesses: Sequence[tuple[str, str]] = ()
    entries: Sequence[str] = ()
    asked: int = 0

    def answer(self, heard: str) -> Press | None:
        """What to press after what was heard; None to hang up."""
        self.asked += 1
        match self.kind:
            case "hangs up":
                return None
            case "is silent":
                return Press("")
            case "guesses":
                return self._guess(heard)
            case _:
                return Press(self.entries[self.asked - 1]) if self.asked <= len(self.entries) else None

    def _guess(self, heard: str) -> Press | None:
        """A code, then a PIN; at any other question the game is over."""
        asked = self.ear.last(heard, ("code", "code-again", "pin", "pin-again"))
        tried = (self.asked - 1) // 2
        if asked is None or tried >= len(self.guesses):
            return None
        code, pin = self.guesses[tried]
        return Press(f"{pin if asked.prompt.startswith('pin') else code}#")


def draw(source: Source, place: int, ear: Ear, codes: Sequence[str]) -> Prankster:
    """The prank call in that place of the night. `codes` are precinct codes in an order that spreads the guesses."""
    kind = source.choices(list(SHARES), list(SHARES.values()))[0]
    guesses = [_guess(source, codes[(place * TRIES + n) % len(codes)]) for n in range(source.randint(1, TRIES))]
    garbage = ["".join(source.choices(ANYTHING, k=source.randint(0, 40))) for _ in range(source.randint(1, ENOUGH))]
    persistent = ["*0#"] * source.randint(1, 3)
    withheld = source.random() < WITHHELD_SHARE
    number = source.choice(WITHHELD) if withheld else number_of(place // CALLS_A_NUMBER)
    return Prankster(kind, number, ear, guesses, persistent if kind == "wants a person" else garbage)


def number_of(index: int) -> str:
    """The telephone number of one prankster, from an exchange kept for fiction."""
    return f"+1{AREAS[index % len(AREAS)]}555{index // len(AREAS):04}"


def _guess(source: Source, code: str) -> tuple[str, str]:
    """A precinct somebody saw in a photograph, or five digits out of the air; and a PIN as people think of them."""
    known = source.random() < 0.5
    invented, pin = f"{source.randrange(10**5):05}", f"{source.randrange(10**8):08}"
    return code if known else invented, source.choice((*OBVIOUS_PINS, pin, pin, pin))
