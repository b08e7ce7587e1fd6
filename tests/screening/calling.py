"""Callers to be judged, as short as a test can say them, and the shipped policy."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from hotline.screening.policy_file import Policy, read
from hotline.screening.signals import Mark, MarkKind, Recent
from hotline.settings import config_folder

NOW = datetime(2020, 2, 4, 2, 30, tzinfo=UTC)
OURS = "+15155550100"


def shipped() -> dict[str, Any]:
    """config/screening.toml as it stands, to be changed at will."""
    return tomllib.loads((config_folder() / "screening.toml").read_text("utf-8"))


def policy(changes: Mapping[str, Any] | None = None, state: str = "IA") -> Policy:
    """The shipped policy in a contest of `state`; `changes` name keys by path: {"features.AB-01.on": False}."""
    given = shipped()
    for path, value in (changes or {}).items():
        *tables, key = path.split(".")
        table = given
        for name in tables:
            table = table.setdefault(name, {})
        table[key] = value
    return read(given).at(OURS, state)


def mark(kind: MarkKind, minutes: float = 1, call: str = "CA1", precinct: str = "") -> Mark:
    """A mark so many minutes before `NOW`."""
    return Mark(kind, NOW - timedelta(minutes=minutes), call, precinct)


def marked(*kinds: MarkKind, **facts: Any) -> Recent:
    """A caller with one mark of each kind, a minute old, each from a call of its own."""
    return Recent(NOW, tuple(mark(kind, call=f"CA{place}") for place, kind in enumerate(kinds)), **facts)
