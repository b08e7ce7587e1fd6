"""What kind of caller a simulated chair is: drawn from a seed and a precinct, so a night can be had twice.

The shares are assumptions to exercise the line with, never evidence of how chairs behave.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from hotline.caucus.worksheet import Worksheet
from hotline.clock import Source

Where = tuple[str, str]
"""A number on the worksheet: ("headcount", ""), or a section and a group."""

Notices = Literal["echo", "check", "readback"]
"""When a chair sees that a count was mistyped: at once, at the section's total, or at the read-back."""

SHARES: Mapping[str, float] = {
    "on-file": 0.85,
    "second-number": 0.1,
    "zero-rest": 0.8,
    "code-slip": 0.03,
    "pin-slip": 0.03,
    "count-slip": 0.06,
    "times-out": 0.04,
    "star": 0.05,
    "cut-off": 0.05,
    "stays-silent": 0.03,
    "county-chair": 0.04,
}
"""How often each thing happens, of all chairs."""


@dataclass(frozen=True)
class Habits:
    """One chair on the night. Each slip happens once, then the chair does better.

    `slips` are counts keyed wrong the first time; `times_out` a count keyed without its pound; `star` a star command
    pressed once before a number is given; `cut_off_after` answers after the PIN the call is lost and made again; `gap`
    seconds between keys.
    """

    zero_rest: bool = True
    code_slips: bool = False
    pin_slips: bool = False
    slips: Mapping[Where, int] = field(default_factory=dict)
    notices: Notices = "readback"
    times_out: Where | None = None
    star: tuple[Where, str] | None = None
    cut_off_after: int | None = None
    stays_silent: bool = False
    gap: float = 0.4


def draw(source: Source, sheet: Worksheet) -> Habits:
    """A chair's habits with the worksheet in hand."""
    happens = {name: source.random() < share for name, share in SHARES.items()}
    counted = [
        (section, group)
        for section, counts in (("first", sheet.first), ("final", sheet.final))
        for group, count in counts.items()
        if count
    ]
    where = source.choice(counted) if counted else ("headcount", "")
    notices: Notices = source.choice(("echo", "check", "readback"))
    star = source.choice(("*1#", "*#", "*2#", "*2#", "*4#"))
    cut_off_after, gap = source.randrange(1, 34), source.uniform(0.25, 0.8)
    slipped = {where: _mistyped(source, _count(sheet, where))} if happens["count-slip"] and counted else {}
    return Habits(
        zero_rest=happens["zero-rest"],
        code_slips=happens["code-slip"],
        pin_slips=happens["pin-slip"],
        slips=slipped,
        notices=notices,
        times_out=where if happens["times-out"] and not slipped else None,
        star=(where, star) if happens["star"] and not slipped else None,
        cut_off_after=cut_off_after if happens["cut-off"] else None,
        stays_silent=happens["stays-silent"],
        gap=gap,
    )


def swapped(digits: str) -> str:
    """Two unlike neighbours swapped, the commonest slip; where all are alike, the last one a key off."""
    for position, (left, right) in enumerate(pairwise(digits)):
        if left != right:
            return f"{digits[:position]}{right}{left}{digits[position + 2 :]}"
    return digits[:-1] + str((int(digits[-1]) + 1) % 10)


def _count(sheet: Worksheet, where: Where) -> int:
    section, group = where
    return (sheet.first if section == "first" else sheet.final).get(group, 0)


def _mistyped(source: Source, count: int) -> int:
    """A count as a thumb might key it: a digit doubled, dropped, or a key off. Never the count itself."""
    digits = str(count)
    likely = {int(digits + digits[-1]), int(digits[:-1] or "0"), count + 1, max(count - 1, 0), int(swapped(digits))}
    return source.choice(sorted(wrong for wrong in likely if wrong != count and wrong < 1000))
