"""Blocking a number by hand, and letting it in again: for a time the policy allows one person, with a reason."""

from __future__ import annotations

from datetime import timedelta

from hotline.errors import FormRefused, Overtaken
from hotline.services.line import Line
from hotline.store.blocks import Block

CHAIR_BLOCKED = "chair-blocked"
"""The alert that stands while a number on file is blocked."""


def longest(line: Line) -> int:
    """Minutes one person may block a number for."""
    return line.policy.latest.hold.reject


def block(line: Line, number: str, *, minutes: int, why: str, by: str) -> Block:
    """Have the number's (E.164) calls refused from the next ring on; where it is on file, an alert stands meanwhile.

    Raises `FormRefused` for a withheld number, which is nobody's, and for longer than one person may.
    """
    if not number:
        raise FormRefused("The number is withheld: it cannot be blocked, for it is not one caller's.")
    if not 1 <= minutes <= longest(line):
        raise FormRefused(f"Block for 1 to {longest(line)} minutes: longer is not one person's to decide.")
    made = line.blocks.block(number, span=timedelta(minutes=minutes), why=why, by=by)
    if on_file := line.roster.on_file(number):
        told = f"{made.caller} is on file for {', '.join(on_file)} and was blocked by {by}: {why}"
        line.alerts.raise_once(CHAIR_BLOCKED, told, made.key)
    return made


def unblock(line: Line, number: str, *, why: str, by: str) -> None:
    """Let the number in again from its next ring on. Raises `Overtaken` when it is not blocked any more."""
    found = line.blocks.of(number)
    lift(line, found.key if found else "", why=why, by=by)


def lift(line: Line, key: str, *, why: str, by: str) -> None:
    """The same by a number's key, for whoever looks through the blocks."""
    if not line.blocks.lift(key, why=why, by=by):
        raise Overtaken("The number is not blocked any more.")
    line.alerts.clear(CHAIR_BLOCKED, key)
