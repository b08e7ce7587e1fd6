"""Callers who follow a list: what `hotline phone --keys` and the calls written as data press, one entry per question.

| entry  | at that question                                                    |
|--------|---------------------------------------------------------------------|
| `42`   | presses 4, 2 and the pound                                          |
| `42#`  | the same                                                            |
| `42,`  | presses 4 and 2, no pound: time ends the answer                     |
| `#`    | the pound alone                                                     |
| `-`    | says nothing                                                        |
| `!`    | hangs up                                                            |
"""

from __future__ import annotations

from collections.abc import Sequence

from hotline.practice.gather import KEYS
from hotline.practice.interpreter import Brain, Pressed

SILENCE, HANG_UP, NO_POUND = "-", "!", ","


def pressed(entry: str) -> Pressed:
    """What one entry presses; None hangs up. An entry with anything but keys raises ValueError."""
    if entry == HANG_UP:
        return None
    if entry == SILENCE:
        return ""
    keys = entry.removesuffix(NO_POUND)
    if not keys or not KEYS.issuperset(keys):
        raise ValueError(f"{entry!r} cannot be pressed: use digits, * and #, or {SILENCE} {HANG_UP} {NO_POUND}")
    return keys if entry.endswith((NO_POUND, "#")) else keys + "#"


def player(entries: Sequence[str]) -> Brain:
    """A caller who presses the entries in order and hangs up when they are used up. Bad entries raise at once."""
    presses = iter([pressed(entry) for entry in entries])
    return lambda _heard: next(presses, None)
