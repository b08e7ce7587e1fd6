"""One telephone number as staff look at it: how its next call would be met and why, its block, mark and calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hotline.caucus.contest import Precinct
from hotline.errors import FormRefused, NotFound
from hotline.events.decisions import NumberRevealed
from hotline.services.line import Line
from hotline.services.review import read_reason
from hotline.services.screening import outlook
from hotline.store.blocks import Block
from hotline.store.call_records import CallRow
from hotline.store.marks import StaffMark
from hotline.store.text import masked
from hotline.telephone_numbers import read_number


@dataclass(frozen=True)
class CallerCard:
    """A number, masked in `caller`. `told` is how its next call would be met; `marks` what it did, by kind."""

    number: str = field(repr=False)
    caller: str
    told: str
    marks: Mapping[str, int]
    on_file: tuple[Precinct, ...]
    block: Block | None
    mark: StaffMark | None
    calls: tuple[CallRow, ...]


def read(written: str) -> str:
    """A number as somebody typed it, in E.164. Raises `FormRefused` saying what is wrong with it."""
    found = read_number(written.strip())
    if found.problem:
        raise FormRefused(f"{written.strip() or 'Nothing'} {found.problem}")
    return found.number


def card(line: Line, number: str) -> CallerCard:
    """What is known of a number (E.164)."""
    seen, block = outlook(line, number), line.blocks.of(number)
    precincts = line.contest.precincts
    return CallerCard(
        number=number,
        caller=masked(number),
        told=seen.told,
        marks=dict(sorted(Counter(each.kind for each in seen.known.marks).items())),
        on_file=tuple(precincts[code] for code in line.roster.on_file(number) if code in precincts),
        block=block if block and block.stands(line.clock.now()) else None,
        mark=line.marks.of(number),
        calls=tuple(line.calls.calls_of(number)),
    )


def reveal(line: Line, sid: str, *, why: str, by: str) -> str:
    """The whole number of a call, with the reason on record. Raises `NotFound` where it was withheld."""
    reason, number = read_reason(why), line.callers.number_of(sid)
    if not number:
        raise NotFound("The number of this call was withheld.")
    line.ledger.append([NumberRevealed(masked(number), reason, by)], call=sid)
    return number
