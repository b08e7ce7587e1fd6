"""Reading keys: what the carrier sent, sorted into the few things a caller can mean. Digits stay text until checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from hotline.dialog.facts import Heard

Meaning = Literal["silence", "pound", "star", "digits", "nonsense"]

_DIGITS = re.compile(r"[0-9]{1,12}")
_STAR = re.compile(r"\*[0-3]?")
_LONGEST_COUNT = 4


@dataclass(frozen=True)
class Keyed:
    """One answer. `text` is what was keyed without its pound; `timed_out` says time ended it, not the pound."""

    meaning: Meaning
    text: str = ""
    timed_out: bool = False

    def is_short_of(self, length: int) -> bool:
        """Whether time cut off a code or PIN of `length` digits: the caller is slow, not wrong."""
        return self.timed_out and len(self.text) < length


def read(heard: Heard) -> Keyed:
    """What was keyed. Letters, a `*` out of place or a row of 40 digits are nonsense; no keys at all is silence.

    A pound inside is nonsense too, save at the end: some carriers send the one that ended the answer.
    """
    if heard.keys is None:
        return Keyed("silence")
    text = heard.keys.removesuffix("#")
    if not text:
        return Keyed("silence" if heard.timed_out else "pound")
    if _STAR.fullmatch(text):
        return Keyed("star", text, heard.timed_out)
    if _DIGITS.fullmatch(text):
        return Keyed("digits", text, heard.timed_out)
    return Keyed("nonsense", timed_out=heard.timed_out)


def choice(keyed: Keyed, offered: str) -> str | None:
    """The one key chosen among those offered ("123"), or None: `11` is not `1` keyed twice, it is nonsense."""
    return keyed.text if len(keyed.text) == 1 and keyed.text in offered else None


def count(keyed: Keyed) -> int | None:
    """A count of people or delegates, or None when it is too long to be one. Leading zeros do not matter here."""
    return int(keyed.text) if len(keyed.text) <= _LONGEST_COUNT else None
