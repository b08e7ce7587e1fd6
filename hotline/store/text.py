"""How instants and JSON are written down in a column: one spelling each, so that equal values are equal bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any


def instant(at: datetime) -> str:
    """UTC to the millisecond, "2020-02-03T19:02:11.123Z"; as text it sorts in order of time."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def dump(value: Any) -> str:
    """Compact JSON, keys in the order given (worksheet order means something)."""
    return _compact(value)


def load(value: str) -> Any:
    """What `dump` wrote."""
    return json.loads(value)


def masked(number: str) -> str:
    """A telephone number as everything but the calls table may show it: its last four digits."""
    return f"…{number[-4:]}" if number else ""


def told_by(error: BaseException) -> str:
    """The first line of what a database or its driver said: the statement and its values may hold a phone number."""
    said = str(getattr(error, "orig", error)).splitlines()
    return said[0] if said else type(error).__name__


def dump_tallies(tallies: Mapping[str, int]) -> str:
    """Tallies without their zeros: an absent group counts 0, so both spellings are one report."""
    return dump({group: count for group, count in tallies.items() if count})
