"""How the carrier collects keys at one question: a pure function of the Gather's attributes and what is pressed when.

| attribute           | absent means | does                                                                         |
|---------------------|--------------|------------------------------------------------------------------------------|
| `timeout`           | 5            | seconds of silence that end the answer; starts after the nested words, and   |
|                     |              | again at every key                                                           |
| `finishOnKey`       | `#`          | a key of this set ends the answer and is not part of it; empty: no key does  |
| `numDigits`         | no limit     | so many keys end the answer; whatever follows belongs to the next question   |
| `actionOnEmptyResult` | false      | whether `action` is asked when nothing was keyed, or the finish key alone    |
| `action`            | this address | who gets `Digits` and `FinishedOnKey`                                        |

The first key stops the nested words. Keys cut short by time are submitted as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

KEYS = frozenset("0123456789*#ABCD")


@dataclass(frozen=True)
class Press:
    """What a caller presses at one question.

    `at`: seconds after the question began at which the first key goes down, None when the caller hears the words to
    their end. `gap`: seconds between keys.
    """

    keys: str
    at: float | None = None
    gap: float = 0.4


@dataclass(frozen=True)
class Collected:
    """The answer as the carrier submits it.

    `finished_on` is "" when time or `numDigits` ended the answer. `heard_for` is how many seconds of the nested words
    were heard, `seconds` how long the question took, `left_over` the keys pressed after the answer was complete.
    """

    digits: str
    finished_on: str
    heard_for: float
    seconds: float
    left_over: str
    submits: bool


def collect(attributes: Mapping[str, str], words_last: float, press: Press) -> Collected:
    """Run one Gather whose nested words last so many seconds against what is pressed."""
    timeout = float(attributes.get("timeout", "5"))
    finish = attributes.get("finishOnKey", "#")
    limit = int(attributes.get("numDigits", "0"))
    begins = words_last if press.at is None else press.at
    if press.at is None and press.keys:
        begins += min(press.gap, timeout)
    if not press.keys or begins > words_last + timeout:
        return _collected(attributes, "", "", words_last, words_last + timeout, press.keys)
    digits, clock, heard_for = "", begins, min(begins, words_last)
    for position, key in enumerate(press.keys):
        if position and press.gap > timeout:
            return _collected(attributes, digits, "", heard_for, clock + timeout, press.keys[position:])
        clock += press.gap if position else 0.0
        if key in finish:
            return _collected(attributes, digits, key, heard_for, clock, press.keys[position + 1 :])
        digits += key
        if limit and len(digits) == limit:
            return _collected(attributes, digits, "", heard_for, clock, press.keys[position + 1 :])
    return _collected(attributes, digits, "", heard_for, clock + timeout, "")


def _collected(
    attributes: Mapping[str, str], digits: str, finished_on: str, heard_for: float, seconds: float, left_over: str
) -> Collected:
    submits = bool(digits) or attributes.get("actionOnEmptyResult") == "true"
    return Collected(digits, finished_on, heard_for, seconds, left_over, submits)
