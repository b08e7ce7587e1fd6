"""What store tests share: a clock that stands still, a pepper, and the two databases to run on."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from hotline.clock import Clock
from hotline.store.keyed import keying

PEPPER = "a pepper of this test, 32 bytes and more"
KEY = keying("a secret key of this test, 32 bytes and more")
NIGHT = datetime(2020, 2, 3, 19, 0, tzinfo=UTC)
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.outside)]


@dataclass(frozen=True)
class HeldClock(Clock):
    """A clock that stands still until it is moved; randomness stays random."""

    at: list[datetime] = field(default_factory=lambda: [NIGHT])

    def now(self) -> datetime:
        return self.at[0]

    def move(self, **span: float) -> None:
        self.at[0] += timedelta(**span)
