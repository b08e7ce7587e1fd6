"""The only source of time and randomness. Everything else is handed a `Clock`, so a test can hold both still."""

from __future__ import annotations

import random
import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True)
class Clock:
    """Wall time (UTC, aware), monotonic seconds, and unguessable digits and bytes."""

    def now(self) -> datetime:
        """The present instant, UTC and aware."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never run backwards; only differences mean anything."""
        return time.monotonic()

    def processor(self) -> float:
        """Seconds of a core this process has used, other processes left out; only differences mean anything."""
        return time.process_time()

    def sleep(self, seconds: float) -> None:
        """Wait that many seconds."""
        time.sleep(seconds)

    def digits(self, count: int) -> str:
        """`count` decimal digits from the system's cryptographic source."""
        return "".join(secrets.choice("0123456789") for _ in range(count))

    def token(self, count: int) -> str:
        """`count` random bytes in hexadecimal."""
        return secrets.token_hex(count)


Source = random.Random
"""A repeatable source of numbers, as `seeded` gives."""


def seeded(*parts: object) -> Source:
    """A repeatable source for simulated nights, keyed by all `parts`. Never for secrets on a real line."""
    return Source("/".join(map(str, parts)))
