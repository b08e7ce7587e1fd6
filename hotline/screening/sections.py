"""The tables of config/screening.toml as values, each number with its range. What each is for stands in the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

POINTS, COUNT, MINUTES, PER_CENT = (0, 100), (1, 1000), (1, 24 * 60), (1, 100)
"""Ranges, both ends included."""


def _within(bounds: tuple[int, int], default: int | None = None) -> Any:
    metadata = {"bounds": bounds}
    return field(metadata=metadata) if default is None else field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Ladder:
    """The scores at which a caller is challenged, slowed and rejected. Without `rejects` the last is a slowing too.

    A phone that sends no keys is rejected only after bad marks in `keyless` calls, whatever its score.
    """

    rejects: bool
    challenge: int = _within((0, 1000))
    slow: int = _within((10, 1000))
    reject: int = _within((10, 1000))
    keyless: int = _within((1, 64))


@dataclass(frozen=True)
class Hold:
    """Minutes after a number's last bad mark at which each step is over."""

    challenge: int = _within(MINUTES)
    slow: int = _within(MINUTES)
    reject: int = _within(MINUTES)


@dataclass(frozen=True)
class Admission:
    """Per cent of the tested calls: when the line is `full` for the unknown, and their share of it (`strangers`)."""

    full: int = _within(PER_CENT)
    strangers: int = _within((1, 60))


@dataclass(frozen=True)
class Rates:
    """Calls within a minute, by the fast count: past which a number is hurried, and ours (`called`, `line`) flooded."""

    number: int = _within(COUNT)
    called: int = _within((1, 100_000))
    line: int = _within((1, 100_000))


@dataclass(frozen=True)
class Staff:
    """Per cent of staff talking from which slowed callers no longer wait for them."""

    busy: int = _within(PER_CENT)


@dataclass(frozen=True)
class Contested:
    """When guessing makes a precinct contested (AB-12), and how many held reports it may have open (AU-09)."""

    failures: int = _within(COUNT)
    numbers: int = _within(COUNT)
    minutes: int = _within(MINUTES)
    held: int = _within(COUNT)


@dataclass(frozen=True)
class Watch:
    """When the event is watched; the window counts for `Attack` too."""

    minutes: int = _within(MINUTES)
    failures: int = _within(COUNT)
    ratio: int = _within(COUNT)
    contested: int = _within(COUNT)
    strikes: int = _within((1, 100_000))
    calm_below: int = _within(COUNT)


@dataclass(frozen=True)
class Attack:
    """When the event is under attack (AB-13)."""

    failures: int = _within(COUNT)
    ratio: int = _within(COUNT)


@dataclass(frozen=True)
class PinCeilings:
    """How many wrong PINs are judged (AU-04 to AU-08, AU-15). `chairs` stays below the 100 of NIST SP 800-63B."""

    in_call: int = _within((1, 10), 3)
    challenge_at: int = _within((1, 100), 5)
    challenge_minutes: int = _within(MINUTES, 15)
    by_number: int = _within((1, 100), 10)
    strangers: int = _within((1, 60), 10)
    quiet_minutes: int = _within(MINUTES, 60)
    chairs: int = _within((1, 60), 20)
    alert_one_in: int = _within((10, 10**8), 10_000)
    call_back_one_in: int = _within((10, 10**8), 1_000)
    most_precincts: int = _within(COUNT, 10)
