"""Hours as they stand in contest.toml and beside a site: two instants with their offsets, so no table of time zones.

Satellites abroad write theirs with the offset of the place.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from hotline.caucus.contest import Hours
from hotline.caucus.rows import Row

KEYS = frozenset({"opens", "closes"})


def of_row(row: Row) -> Hours | None:
    """The hours of a site; None when both columns are empty or not there. What is wrong is noted."""
    opens, closes = row.optional("opens"), row.optional("closes")
    return hours(_instant(opens), _instant(closes), row.note) if opens or closes else None


def hours(opens: object, closes: object, note: Callable[[str, str], None]) -> Hours | None:
    """Hours from two values; None when one is no instant, or they are the wrong way round, which is noted."""
    found = [value for value in (opens, closes) if isinstance(value, datetime) and value.tzinfo]
    for key, value in (("opens", opens), ("closes", closes)):
        if value not in found:
            note(key, "must be a time with its offset from UTC, like 2020-02-03T19:00:00-06:00")
    if len(found) < 2:
        return None
    if found[1] <= found[0]:
        note("closes", "must be later than opens")
        return None
    return Hours(*found)


def _instant(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
