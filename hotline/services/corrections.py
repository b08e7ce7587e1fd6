"""A worksheet with fields changed by hand: which fields there are, what may stand in one, what differs. Pure.

A field is "headcount", or a section and a preference key: "first.Biden", "final.Biden", "delegates.Biden".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotline.caucus.contest import Contest
from hotline.caucus.worksheet import Worksheet
from hotline.errors import FormRefused

SECTIONS = ("first", "final", "delegates")
HEADCOUNT = "headcount"
MOST = 9_999
"""Four digits, as on the telephone."""


def fields_of(contest: Contest) -> tuple[str, ...]:
    """Every field of a worksheet, in the order of the paper."""
    return (HEADCOUNT, *(f"{section}.{key}" for section in SECTIONS for key in contest.keys))


def values_of(contest: Contest, sheet: Worksheet) -> dict[str, int]:
    """What stands in each field; nobody is 0."""
    counted = {"first": sheet.first, "final": sheet.final, "delegates": sheet.delegates}
    values = {HEADCOUNT: sheet.headcount or 0}
    for section in SECTIONS:
        values |= {f"{section}.{key}": counted[section].get(key, 0) for key in contest.keys}
    return values


def read_changes(contest: Contest, sheet: Worksheet, given: Mapping[str, str]) -> dict[str, int]:
    """The fields that were filled in otherwise than they stand. Raises `FormRefused` naming what is no number.

    A field that was not sent, or left empty, stays as it is.
    """
    stand, changes = values_of(contest, sheet), {}
    for name in fields_of(contest):
        text = given.get(name, "").strip()
        if not text:
            continue
        if not (text.isascii() and text.isdigit() and int(text) <= MOST):
            raise FormRefused(f"{name}: {text!r} is no whole number from 0 to {MOST:,}.")
        if int(text) != stand[name]:
            changes[name] = int(text)
    return changes


def corrected(contest: Contest, sheet: Worksheet, changes: Mapping[str, int]) -> Worksheet:
    """The worksheet with these fields changed; those of nobody left out."""
    values = {**values_of(contest, sheet), **changes}
    first, final, delegates = (
        {key: count for key in contest.keys if (count := values[f"{section}.{key}"])} for section in SECTIONS
    )
    headcount = values[HEADCOUNT] if HEADCOUNT in changes else sheet.headcount
    return replace(sheet, headcount=headcount, first=first, final=final, delegates=delegates)
