"""The pranksters of a simulated night, kind by kind, as `assumed.PRANKS` has them. None is told a PIN."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hotline.caucus.codes import with_check_digit
from hotline.clock import Source, seeded
from hotline.dialog.values import replace
from hotline.practice.gather import KEYS
from hotline.practice.simulated import phones
from hotline.practice.simulated.assumed import (
    CHALLENGE_PASSED,
    KNOWN_CODES,
    NIGHT_LONG,
    OBVIOUS_PINS,
    PERSISTENCE,
    PRANK_TALK,
    PRANKS,
    SILENT_TALK,
    STAFF_MARK,
    TARGETED,
    WITHHELD_PRANKS,
)
from hotline.practice.simulated.people import Caller, Manner, Phone, Plan

BEGIN = 3600.0
OBVIOUS = ("12345678", "00000000", "11111111", "20200203", "87654321", "12121212", "11223344", "99999999")
ANYTHING = sorted(KEYS)
BY_MACHINE = ("sprays", "guesses, many numbers", "redials by machine")
PER_BLOCK = 5
"""Pranksters who sit in the block of one chair."""
PIN_SPACE = 10**8
MANNERS: Mapping[str, tuple[Manner, ...]] = {
    "hangs up": ("silent",),
    "is silent": ("silent",),
    "talks": ("anything",),
    "wants a person": ("person",),
    "guesses": ("keys",),
    "sprays": ("keys",),
    "guesses, many numbers": ("keys",),
    "forges a chair's number": ("keys", "silent", "person"),
    "redials by machine": ("silent",),
    "neighbour of a chair": ("keys", "silent"),
    "presses anything": ("anything",),
}
"""How each kind behaves on the line, one way or another in each call."""
LASTS: Mapping[str, tuple[float, float]] = {"hangs up": (1.0, 8.0), "is silent": (10.0, 60.0), "talks": (15.0, 90.0)}
"""Seconds after which those hang up who do not stay to the end."""
HOLDS_ON = 0.7
"""Of the silent, those who stay all the same."""


def pranksters(codes: Sequence[str], victims: Sequence[Phone], seed: str, share: float) -> list[Caller]:
    """Everybody without a report. `codes` are the precincts', `victims` telephones of chairs; `share` of each kind."""
    targets = seeded(seed, "targets").sample(list(codes), min(TARGETED, len(codes)))
    found: list[Caller] = []
    for kind, prank in PRANKS.items():
        for number in range(round(prank.numbers * share)):
            source = seeded(seed, "prank", kind, number)
            phone = _phone(source, kind, len(found), victims, number)
            aims = targets if kind == "guesses, many numbers" else codes
            found.append(Caller((kind,), phone, tuple(_plans(source, kind, phone, aims))))
    return found


def _phone(source: Source, kind: str, place: int, victims: Sequence[Phone], number: int) -> Phone:
    telephone = PRANKS[kind].phone
    if telephone == "forged":
        on_file = [phone for phone in victims if phone.on_file]
        return replace(on_file[(7 * number) % len(on_file)], verstat=phones.vouched(source, telephone))
    if kind == "neighbour of a chair":
        at_home = [phone for phone in victims if phone.area]
        return phones.next_to(source, place, at_home[(31 * (number // PER_BLOCK)) % len(at_home)])
    phone = phones.of_prankster(source, place, telephone)
    is_withheld = telephone == "mobile" and source.random() < WITHHELD_PRANKS
    return Phone("", "none" if phone.verstat.startswith("failed") else phone.verstat) if is_withheld else phone


def _plans(source: Source, kind: str, phone: Phone, codes: Sequence[str]) -> Iterator[Plan]:
    at = BEGIN + source.random() * NIGHT_LONG
    is_fast = kind in ("sprays", "redials by machine")
    often = source.choices(list(PERSISTENCE), list(PERSISTENCE.values()))[0]
    calls = source.randint(*(PRANKS[kind].calls or often))
    guesses = _guesses(source, kind, phone, codes)
    for _ in range(calls):
        yield replace(_plan(source, kind, guesses), at=at)
        at += source.uniform(20.0, 90.0) if is_fast else source.uniform(45.0, 600.0)


def _plan(source: Source, kind: str, guesses: Iterator[tuple[str, str]]) -> Plan:
    manner, lasts = _manner(source, kind)
    right = CHALLENGE_PASSED["machine" if kind in BY_MACHINE else "person"]
    tries = source.randint(2, 3) if kind != "guesses, many numbers" else source.randint(1, 3)
    return Plan(
        at=0.0,
        manner=manner,
        pace=source.uniform(2.5, 5.0) if kind in BY_MACHINE else source.uniform(4.0, 10.0),
        tries=tuple(next(guesses) for _ in range(tries if manner == "keys" else 0)),
        entries=tuple(_entries(source, kind)) if manner == "anything" else (),
        lasts=lasts,
        challenges=(source.random() < right, source.random() < right),
        talk=(SILENT_TALK if manner == "silent" else PRANK_TALK) * source.uniform(0.5, 1.5),
        is_marked=source.random() < STAFF_MARK,
    )


def _manner(source: Source, kind: str) -> tuple[Manner, float | None]:
    """How such a prankster behaves on the line, and how long at most."""
    lasts = source.uniform(*LASTS[kind]) if kind in LASTS else None
    if kind == "is silent" and source.random() < HOLDS_ON:
        lasts = None
    return source.choice(MANNERS[kind]), lasts


def _entries(source: Source, kind: str) -> Iterator[str]:
    """What is pressed, question by question. Talkers press nothing, or the 0 that fetches a person elsewhere."""
    for _ in range(source.randint(2, 10)):
        if kind == "talks":
            yield source.choice(("", "", "0"))
        else:
            yield "".join(source.choices(ANYTHING, k=source.choice((1, 1, 2, 3, 5, 8, 20))))


def _guesses(source: Source, kind: str, phone: Phone, codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Codes and PINs without end: one PIN over many precincts, PINs counted up, or whatever comes to mind."""
    sprayed = source.choice(OBVIOUS)
    counted, home = source.randrange(PIN_SPACE), source.choice(codes)
    is_counting = source.random() < 0.3
    while True:
        counted = (counted + source.choice((1, 11))) % PIN_SPACE
        drawn = source.choice(OBVIOUS) if source.random() < OBVIOUS_PINS else f"{source.randrange(PIN_SPACE):08}"
        if kind == "sprays":
            yield source.choice(codes), f"{counted:08}" if is_counting else sprayed
        elif kind == "forges a chair's number":
            yield phone.on_file[0], drawn
        elif kind == "guesses" and is_counting:
            yield home, f"{counted:08}"
        elif kind == "guesses, many numbers":
            yield home, f"{source.randrange(PIN_SPACE):08}"
        else:
            known = source.random() < KNOWN_CODES
            yield source.choice(codes) if known else _invented(source), drawn


def _invented(source: Source) -> str:
    """Five digits out of the air: one in ten has a right check digit by luck, as here one in two for good measure."""
    digits = f"{source.randrange(10**5):05}"
    return digits if source.random() < 0.5 else with_check_digit(digits[:4])
