"""The telephones of a simulated night: numbers nobody ever dials, spread over a state's exchanges as real ones are.

A chair's number ends in an even digit and a prankster's in an odd one, so that none is both by accident.
"""

from __future__ import annotations

from collections.abc import Mapping

from hotline.clock import Source
from hotline.practice.simulated.assumed import VERSTAT
from hotline.practice.simulated.people import Phone

STATE = ("515", "319", "563", "641", "712")
ELSEWHERE = ("212", "312", "402", "507", "605", "608", "816", "917", "206", "303", "404", "713")
ABROAD = ("+44", "+33", "+81", "+995")
EXCHANGES = 800
PER_EXCHANGE = 10_000


def vouched(source: Source, kind: str) -> str:
    """What the carrier says of a call from a telephone of that kind."""
    return drawn(source, VERSTAT[kind])


def drawn(source: Source, shares: Mapping[str, float]) -> str:
    """One of several, by their shares."""
    return source.choices(list(shares), list(shares.values()))[0]


def of_chair(source: Source, place: int, kind: str, *, is_out_of_state: bool) -> Phone:
    """A telephone that is a chair's alone. `place` is below 5,000; `kind` is "mobile", "landline" or "abroad"."""
    if kind == "abroad":
        return Phone(f"{source.choice(ABROAD)}{2 * place:09}", vouched(source, kind), keeps_own_hours=True)
    area = source.choice(ELSEWHERE if is_out_of_state else STATE)
    return Phone(_number(source, area, 2 * place), vouched(source, kind), area)


def of_prankster(source: Source, place: int, kind: str) -> Phone:
    """A telephone that is a prankster's alone. `kind` is "mobile" or "rented"."""
    area = source.choice(ELSEWHERE)
    return Phone(_number(source, area, 2 * place + 1), vouched(source, kind), area)


def next_to(source: Source, place: int, chair: Phone) -> Phone:
    """A prankster's telephone in the block of ten thousand that a chair's belongs to."""
    return Phone(f"{chair.number[:-3]}{(2 * place + 1) % 1000:03}", vouched(source, "rented"), chair.area)


def _number(source: Source, area: str, line: int) -> str:
    return f"+1{area}{200 + source.randrange(EXCHANGES)}{line % PER_EXCHANGE:04}"
