"""The newest results, worked out seldom enough that readers never slow the callers they share the machine with."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hotline.clock import Clock
from hotline.services.publication import Night

FRESH_SECONDS = 1.0
REST_PER_WORK = 20
"""An edition that took long to work out is kept longer, so that results take a twentieth of a core at most."""


@dataclass(frozen=True)
class Edition:
    """One set of results, and the night they are of. `tag` changes when a figure does, not when merely time passes."""

    night: Night
    results: Mapping[str, Any]
    json: str
    tag: str
    pages: dict[str, str] = field(default_factory=dict)
    """Pages made of it so far, by address: made once, for a county of a thousand precincts is long."""

    def page(self, address: str, make: Callable[[], str]) -> str:
        """The page at an address, made when it is first asked for."""
        if address not in self.pages:
            self.pages[address] = make()
        return self.pages[address]


class Editions:
    """Keeps the newest edition. One reader works out the next while the others are given the one before."""

    def __init__(self, work_out: Callable[[], tuple[Night, Mapping[str, Any]]], clock: Clock) -> None:
        self._work_out, self._clock = work_out, clock
        self._working = threading.Lock()
        self._newest: Edition | None = None
        self._good_until = 0.0

    def newest(self) -> Edition:
        """The newest edition; whoever comes before there is any waits for it."""
        newest = self._newest
        if newest and (self._clock.monotonic() < self._good_until or self._working.locked()):
            return newest
        with self._working:
            if self._newest is None or self._clock.monotonic() >= self._good_until:
                self._renew()
            assert self._newest is not None
            return self._newest

    def _renew(self) -> None:
        began = self._clock.monotonic()
        self._newest = _edition(*self._work_out())
        ended = self._clock.monotonic()
        self._good_until = ended + max(FRESH_SECONDS, REST_PER_WORK * (ended - began))


def _edition(night: Night, results: Mapping[str, Any]) -> Edition:
    figures = {name: value for name, value in results.items() if name != "at"}
    tag = hashlib.sha256(json.dumps(figures, sort_keys=True).encode()).hexdigest()[:32]
    return Edition(night, results, json.dumps(results, ensure_ascii=False, indent=1) + "\n", tag)
