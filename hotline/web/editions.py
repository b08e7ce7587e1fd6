"""The newest results, worked out at most once a second however many ask for them."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hotline.clock import Clock

FRESH_SECONDS = 1.0


@dataclass(frozen=True)
class Edition:
    """One set of results. `tag` changes when a figure does, not when merely time passes."""

    results: Mapping[str, Any]
    json: str
    tag: str


class Editions:
    """Keeps the newest edition; one thread works it out while the others wait for it."""

    def __init__(self, work_out: Callable[[], Mapping[str, Any]], clock: Clock) -> None:
        self._work_out, self._clock = work_out, clock
        self._lock = threading.Lock()
        self._newest: Edition | None = None
        self._made_at = 0.0

    def newest(self) -> Edition:
        """An edition no older than a second."""
        with self._lock:
            now = self._clock.monotonic()
            if self._newest is None or now - self._made_at >= FRESH_SECONDS:
                self._newest, self._made_at = _edition(self._work_out()), now
            return self._newest


def _edition(results: Mapping[str, Any]) -> Edition:
    figures = {name: value for name, value in results.items() if name != "at"}
    tag = hashlib.sha256(json.dumps(figures, sort_keys=True).encode()).hexdigest()[:32]
    return Edition(results, json.dumps(results, ensure_ascii=False, indent=1) + "\n", tag)
