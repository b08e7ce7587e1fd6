"""What the storms share: a clock that only moves when told, a line with cheap PINs, and chairs by the hundred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from hotline.dialog.session import Session
from hotline.dialog.values import replace
from hotline.services.line import Line
from hotline.store.pins import Packet, Peppers, Pins
from tests.lines import SECRETS, line_on
from tests.quick import QUICK
from tests.services.callers import Caller, sid
from tests.store.held import HeldClock

OURS = "+15155550199"


@dataclass(frozen=True)
class StormClock(HeldClock):
    """Both hands stand still until moved: `move` moves time itself, `set_wrong` the wall clock alone."""

    passed: list[float] = field(default_factory=lambda: [0.0])

    def monotonic(self) -> float:
        return self.passed[0]

    def move(self, **span: float) -> None:
        super().move(**span)
        self.passed[0] += timedelta(**span).total_seconds()

    def set_wrong(self, **span: float) -> None:
        super().move(**span)


@dataclass
class Storm:
    """A line under a storm; `packets` by precinct code. `rings` counts calls, so that each has a name of its own."""

    line: Line
    clock: StormClock
    packets: dict[str, Packet]
    rings: int = 0

    def ring(self, number: str | None) -> Caller:
        """One more call, answered."""
        self.rings += 1
        caller = Caller(self.line, sid(self.rings), number)
        caller.ring()
        return caller

    def session(self, caller: Caller) -> Session:
        """Where the dialog of a call stands."""
        return Session.from_json(self.line.ledger.session(caller.sid) or {})

    def enters(self, code: str, number: str) -> Session:
        """A chair calls and keys code and PIN right; where that left them."""
        caller = self.ring(number)
        caller.keys(code, self.packets[code].pin)
        return self.session(caller)


def storm_on(database: Path, folder: Path, sites: int, **settings: str) -> Storm:
    """A line on a copy of `database`, with packets for its first `sites` precincts."""
    clock = StormClock()
    line = line_on(database, folder, clock, **settings)
    pins = Pins(line.ledger.engine, clock, Peppers(SECRETS["HOTLINE_PEPPER"]), QUICK)
    packets = {packet.precinct: packet for packet in pins.issue(list(line.contest.precincts)[:sites])}
    return Storm(replace(line, pins=pins), clock, packets)


def seconds_between(before: str, after: str) -> float:
    """Of two instants as the store has them."""
    return (datetime.fromisoformat(after) - datetime.fromisoformat(before)).total_seconds()


def numbers(prefix: str, count: int) -> Sequence[str]:
    """So many numbers that begin alike."""
    return [f"+1{prefix}{n:0{10 - len(prefix)}}" for n in range(count)]
