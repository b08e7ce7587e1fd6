"""A whole night on the phone: many calls at once over HTTP, each run as the carrier would, in simulated time.

Each thread takes the next caller, sees the call through, calls again when it was lost, and takes the next. What a call
says and does depends on the caller alone, so one seed gives one ledger, whichever thread is faster.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from hotline.clock import Clock
from hotline.practice.answers import answer
from hotline.practice.chairs import Chair
from hotline.practice.interpreter import Brain, CallLog, Dialled, place_call
from hotline.practice.pranksters import Prankster
from hotline.practice.trunk import Trunk

CALLS_AT_ONCE = 10
"""Enough to keep two cores busy; more only wait longer for each other."""
MOST_CALLS = 8
"""Calls one chair makes before giving up, on an ordinary night."""
PATIENT = 4
"""Calls in a row after which a chair takes a breath between two, though none of them broke off."""
LONGEST_WAIT = 5.0
"""Seconds before a chair whose call failed tries again: half a second, doubled each time, to this."""
REFUSED = "line refused the call"
CALLED = "+15155550000"


@dataclass(frozen=True)
class Door:
    """Where the line is reached: the server, its public address, and what the carrier signs with."""

    server: str
    public: str
    token: str
    account: str


@dataclass
class Record:
    """What a night came to; threads add to it under its lock.

    `latencies` are seconds from request to answer, one per turn; `spoken` what each finished call of a chair would have
    lasted, in seconds. `endings` count how prank calls ended.
    """

    chairs: int = 0
    completed: int = 0
    pranks: int = 0
    calls: int = 0
    failed: int = 0
    challenged: int = 0
    refused_chairs: int = 0
    confirmed: dict[str, str] = field(default_factory=dict)
    endings: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    spoken: list[float] = field(default_factory=list)
    seconds: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def turns(self) -> int:
        """Turns the line answered."""
        return len(self.latencies)

    def timed(self, path: str, seconds: float) -> None:
        """One request was answered; the status callback is no turn, nobody waits for it."""
        if path != "/voice/ended":
            self.latencies.append(seconds)  # appending is safe among threads


@dataclass
class Night:
    """A night under way; guards who is next and whether to go on.

    `rate` is new callers a second, None for as fast as `calls_at_once` threads go.
    """

    door: Door
    seed: int
    clock: Clock
    rate: float | None = None
    calls_at_once: int = CALLS_AT_ONCE
    most_calls: int = MOST_CALLS
    record: Record = field(default_factory=Record)
    stopping: threading.Event = field(default_factory=threading.Event)

    def run(self, order: Sequence[Chair | Prankster]) -> Record:
        """Have everybody call. Returns when the last call is over; an error in any thread ends the night."""
        self.record.chairs = sum(len(caller.errands) for caller in order if isinstance(caller, Chair))
        queue = enumerate(order)
        began = self.clock.monotonic()
        with ThreadPoolExecutor(self.calls_at_once) as threads:
            running = [threads.submit(self._take_calls, queue, began) for _ in range(self.calls_at_once)]
            try:
                for each in running:
                    each.result()
            finally:
                self.stopping.set()
        self.record.seconds = self.clock.monotonic() - began
        return self.record

    def _take_calls(self, queue: Iterator[tuple[int, Chair | Prankster]], began: float) -> None:
        """One thread: caller after caller."""
        trunk = Trunk(self.door.server, self.door.public, self.door.token, self.clock, self.record.timed)
        try:
            while not self.stopping.is_set():
                with self.record.lock:
                    place, caller = next(queue, (0, None))
                if caller is None:
                    return
                if self.rate:
                    self.clock.sleep(max(0.0, began + place / self.rate - self.clock.monotonic()))
                self._see_through(place, caller, trunk)
        except BaseException:
            self.stopping.set()  # our own fault ends the night for every thread, not for this one alone
            raise
        finally:
            trunk.close()

    def _see_through(self, place: int, caller: Chair | Prankster, trunk: Trunk) -> None:
        if isinstance(caller, Prankster):
            log = self._call(f"prank/{place}", caller.number, caller.answer, trunk)
            with self.record.lock:
                self.record.pranks += 1
                self.record.endings[log.ended] += 1
            return
        for attempt in count(1):
            caller.picks_up()
            before = len(caller.confirmed)
            name = f"chair/{caller.errands[0].code}/{attempt}"
            log = self._call(name, caller.number, partial(answer, caller), trunk)
            self._note(caller, log, len(caller.confirmed) > before)
            if caller.is_done or attempt == self.most_calls or self.stopping.is_set():
                break
            if log.errors or attempt >= PATIENT:
                self.clock.sleep(min(LONGEST_WAIT, 0.25 * 2**attempt))
        with self.record.lock:
            self.record.challenged += caller.is_challenged

    def _call(self, name: str, number: str, brain: Brain, trunk: Trunk) -> CallLog:
        sid = "CA" + hashlib.sha256(f"{self.seed}/{name}".encode()).hexdigest()[:32]
        log = place_call(Dialled(sid, self.door.account, number, CALLED), trunk.post, brain, base=self.door.public)
        trunk.close()  # one connection a call: whichever process of the line is free takes the next
        with self.record.lock:
            self.record.calls += 1
            self.record.errors.update(log.errors)
        return log

    def _note(self, chair: Chair, log: CallLog, was_of_use: bool) -> None:
        """A chair's call is over."""
        with self.record.lock:
            self.record.failed += bool(log.errors)
            self.record.refused_chairs += log.ended == REFUSED
            self.record.completed += sum(code not in self.record.confirmed for code in chair.confirmed)
            self.record.confirmed.update(chair.confirmed)
            if was_of_use:
                self.record.spoken.append(log.seconds)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which that share of `values` lies, by nearest rank; 0 when there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
