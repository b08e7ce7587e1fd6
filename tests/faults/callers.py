"""Chairs who report and then correct, call after call, until every number was heard: many reports for few keys.

Each has one precinct. The first report is the worksheet; a correction says one person more came, the next takes it
back, so the last one is the worksheet again. Everything goes through the phone: code, PIN and correction code each
time, since that is the only way to another report.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count

from hotline.clock import Clock
from hotline.practice import answers
from hotline.practice.chairs import HEADCOUNT, Chair, Errand
from hotline.practice.gather import Press
from hotline.practice.habits import Habits
from hotline.practice.interpreter import CallLog, Dialled, Post, place_call
from hotline.practice.listening import Understood
from hotline.practice.night import CALLED, LONGEST_WAIT, Door
from hotline.practice.trunk import Trunk
from hotline.store.pins import Packet

PERSISTENT = 60
"""Calls without a report in them that a chair makes before giving up: a line killed every two seconds drops many."""
AT_A_LOSS = 4
NOBODY = "(nobody is at the practice line's other end)"


@dataclass
class Reporter(Chair):
    """A chair with several reports of one precinct in hand, the first new and the others corrections.

    `heard` are the confirmation numbers written down, one an errand.
    """

    correction: str = field(default="", repr=False)
    heard: list[str] = field(default_factory=list)

    @property
    def errand(self) -> Errand:
        """The report at hand; the last one once all are done."""
        return self.errands[min(len(self.heard), len(self.errands) - 1)]

    @property
    def is_done(self) -> bool:
        """Whether every report's number was heard."""
        return len(self.heard) == len(self.errands)

    def heard_number(self, confirmation: str) -> None:
        """A number that is new is that of the report at hand, also when it is heard in a later call."""
        number = confirmation.replace(" ", "")
        if number not in self.heard and not self.is_done:
            self.heard.append(number)


def reporter(chair: Chair, packet: Packet, reports: int) -> Reporter:
    """`chair`, with so many reports to give of the first precinct in hand; an odd number, to end at the worksheet."""
    first = chair.errands[0]
    whole = replace(first, habits=replace(first.habits, cut_off_after=None))
    again = [replace(first, headcount=first.headcount + at % 2, habits=Habits()) for at in range(1, reports)]
    return Reporter([whole, *again], chair.contest, chair.ear, chair.number, correction=packet.correction_code)


def answer(chair: Reporter, heard: str) -> Press | None:
    """What the chair presses after what was heard; None to hang up."""
    asked = chair.ear.last(heard, ANSWERS)
    if asked is None:
        chair.at_a_loss += 1
        return None if chair.at_a_loss >= AT_A_LOSS else Press("")
    chair.at_a_loss = 0
    keys = ANSWERS[asked.prompt](chair, asked)
    return None if keys is None else Press(keys, gap=chair.errand.habits.gap)


def _on_file(chair: Reporter, asked: Understood) -> str | None:
    """What is on file may be what was sent before the last call broke off; then the next report corrects it."""
    for recorded in asked.also("precinct-on-file"):
        chair.heard_number(recorded.values["confirmation"])
    chair.at = HEADCOUNT
    return None if chair.is_done else "2"


def _correction(chair: Reporter, _asked: Understood) -> str:
    return f"{chair.correction}#"


Answer = Callable[[Reporter, Understood], str | None]
ANSWERS: Mapping[str, Answer] = {
    **answers.ANSWERS,
    "precinct-on-file-keys": _on_file,
    **dict.fromkeys(("correction", "correction-again"), _correction),
}


@dataclass
class Tally:
    """What the callers of a night met with; threads add to it under its lock.

    `turns` are seconds from request to answer, one a turn. `broken` counts calls the carrier could not run to their
    end, `holds` the times a caller was asked to hold, `persons` the times a caller was put through to one, `unlike`
    repeats of a turn that did not get the very same bytes.
    """

    turns: list[float] = field(default_factory=list)
    calls: int = 0
    broken: int = 0
    holds: int = 0
    persons: int = 0
    unlike: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def timed(self, path: str, seconds: float) -> None:
        """One request was answered; nobody waits for the answer to the status callback."""
        if path != "/voice/ended":
            self.turns.append(seconds)  # appending is safe among threads

    def over(self, log: CallLog, hold: str) -> None:
        """A call has ended; `hold` is what a caller who waits is told."""
        with self.lock:
            self.calls += 1
            self.broken += bool(log.errors)
            self.errors.update(log.errors)
            self.holds += sum(entry.text.count(hold) for entry in log.transcript)
            self.persons += sum(NOBODY in entry.text for entry in log.transcript)


Carrier = Callable[[Sequence[Trunk], Tally], Post]
"""How requests of one thread's calls travel, given its own connections: to its own host first, then to the others."""


def ordinary(trunks: Sequence[Trunk], _tally: Tally) -> Post:
    """Each request once, to one host."""
    return trunks[0].post


@dataclass(frozen=True)
class Crowd:
    """Everybody who calls, from so many telephones at once. `doors` are the hosts; a telephone keeps to one of them."""

    doors: Sequence[Door]
    seed: int
    clock: Clock
    hold: str
    carrier: Carrier = ordinary
    at_once: int = 10
    tally: Tally = field(default_factory=Tally)
    giving_up: threading.Event = field(default_factory=threading.Event)

    def call(self, reporters: Sequence[Reporter]) -> Tally:
        """Have everybody call until all their numbers are heard; an error of our own ends it for all."""
        queue = iter(reporters)
        with ThreadPoolExecutor(self.at_once) as threads:
            running = [threads.submit(self._take_calls, queue, phone) for phone in range(self.at_once)]
            for each in running:
                each.result()
        return self.tally

    def _take_calls(self, queue: Iterator[Reporter], phone: int) -> None:
        at = phone % len(self.doors)
        doors = [*self.doors[at:], *self.doors[:at]]
        trunks = [Trunk(each.server, each.public, each.token, self.clock, self.tally.timed) for each in doors]
        post = self.carrier(trunks, self.tally)
        try:
            while not self.giving_up.is_set():
                with self.tally.lock:
                    chair = next(queue, None)
                if chair is None:
                    return
                self._see_through(chair, post, trunks)
        except BaseException:
            self.giving_up.set()
            raise
        finally:
            _hang_up(trunks)

    def _see_through(self, chair: Reporter, post: Post, trunks: Sequence[Trunk]) -> None:
        in_vain = 0
        for attempt in count(1):
            chair.picks_up()
            before = len(chair.heard)
            name = f"{self.seed}/{chair.errand.code}/{attempt}"
            sid = "CA" + hashlib.sha256(name.encode()).hexdigest()[:32]
            dialled = Dialled(sid, self.doors[0].account, chair.number, CALLED)
            log = place_call(dialled, post, lambda heard: answer(chair, heard), base=self.doors[0].public)
            _hang_up(trunks)  # one connection a call: whichever process of the line is free takes the next
            self.tally.over(log, self.hold)
            in_vain = 0 if len(chair.heard) > before else in_vain + 1
            if chair.is_done or in_vain == PERSISTENT or self.giving_up.is_set():
                return
            if log.errors or in_vain > 1:
                self.clock.sleep(min(LONGEST_WAIT, 0.25 * 2**in_vain))


def _hang_up(trunks: Sequence[Trunk]) -> None:
    for each in trunks:
        each.close()
