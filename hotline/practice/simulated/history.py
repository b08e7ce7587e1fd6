"""What the numbers did on a simulated night, kept in memory and read as the store reads it off the ledger.

The same marks and neighbours as `store/callers` gives of the same night, and the same counts as `store/counters`; tests
compare them. Seconds are those since the doors opened.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from operator import attrgetter

from hotline.screening.sections import PinCeilings
from hotline.screening.signals import Mark, MarkKind, Neighbours, PinAttempts
from hotline.store.callers import BLOCK_STRIKES, NEWEST
from hotline.telephone_numbers import block_of

DOORS = datetime(2020, 2, 4, 1, 0, tzinfo=UTC)
"""Seven in the evening in Iowa."""
DAY, HOUR, MINUTE = 24 * 3600.0, 3600.0, 60.0
LATELY = 10 * MINUTE
"""How long what a block did is held against a stranger."""


def instant(seconds: float) -> datetime:
    """The time of day, UTC."""
    return DOORS + timedelta(seconds=seconds)


@dataclass
class Ringing:
    """A call and the marks it made, in order. `name` tells it from others."""

    number: str
    name: str
    at: float
    marks: list[Mark] = field(default_factory=list)

    def mark(self, kind: MarkKind, at: float, precinct: str = "") -> None:
        """One thing the call did."""
        self.marks.append(Mark(kind, instant(at), self.name, precinct))


@dataclass
class Tried:
    """One PIN that was judged. `pattern` says that it fits one of guessing; `pressed_at`, when one was last refused
    unjudged on top of it."""

    number: str
    call: str
    at: float
    precinct: str
    pin: str
    is_chair_number: bool
    is_accepted: bool
    pattern: str = ""
    pressed_at: float = 0.0


class History:
    """Calls by number and by block, PINs by caller and by precinct; guards them all."""

    def __init__(self, ceilings: PinCeilings) -> None:
        self._ceilings = ceilings
        self._calls: dict[str, deque[Ringing]] = defaultdict(lambda: deque(maxlen=NEWEST))
        self._blocks: dict[str, deque[Ringing]] = defaultdict(deque)
        self._by_caller: dict[str, list[Tried]] = defaultdict(list)
        self._on_precinct: dict[str, list[Tried]] = defaultdict(list)

    def ring(self, call: Ringing) -> None:
        """A call rings. Withheld callers have nothing in common: nothing is remembered of them."""
        call.mark("rang", call.at)
        if call.number:
            self._calls[call.number].append(call)
            if block_of(call.number):
                self._blocks[block_of(call.number)].append(call)

    def marks(self, number: str, at: float) -> tuple[Mark, ...]:
        """What a number did in the last 24 hours, in its newest calls, oldest first."""
        found = [mark for call in self._calls.get(number, ()) if call.at > at - DAY for mark in call.marks]
        if number:
            tried = self._by_caller.get(number, ())
            found += [_guess(each) for each in tried if each.pattern and each.at > at - DAY]
        return tuple(sorted(found, key=attrgetter("at")))

    def neighbours(self, number: str, at: float) -> Neighbours:
        """What other numbers of the block did in their calls of the last ten minutes."""
        calls = self._blocks.get(block_of(number), ())
        near = (call for call in reversed(calls) if call.number != number and call.at > at - LATELY)
        kinds = [mark.kind for call in islice(near, NEWEST) for mark in call.marks]
        return Neighbours(sum(kind in BLOCK_STRIKES for kind in kinds), kinds.count("signed-in"))

    def attempts(self, call: Ringing, precinct: str, at: float, *, has_passed: bool, is_chair: bool) -> PinAttempts:
        """What was tried before the sign-in that is about to be judged. `is_chair`: the number is on file for it."""
        times = self._wrong(call.number, at) if call.number else []
        of_caller = self._by_caller.get(call.number or call.name, ())
        return PinAttempts(
            in_call=sum(each.call == call.name and not each.is_accepted for each in of_caller),
            by_number=len(times),
            by_number_lately=sum(then > at - MINUTE * self._ceilings.challenge_minutes for then in times),
            has_passed=has_passed,
            on_precinct=len(self._run(precinct, at, is_chair=is_chair)),
            is_chair_number=is_chair,
        )

    def tried(self, call: Ringing, at: float) -> list[Tried]:
        """PINs refused within the hour, newest first: of the number, or of the call when it is withheld."""
        of_caller = self._by_caller.get(call.number or call.name, ())
        refused = (each for each in reversed(of_caller) if each.at > at - HOUR and not each.is_accepted)
        return list(islice(refused, NEWEST))

    def judged(self, tried: Tried) -> None:
        """A PIN was judged."""
        self._by_caller[tried.number or tried.call].append(tried)
        self._on_precinct[tried.precinct].append(tried)

    def unjudged(self, precinct: str, at: float, *, is_chair: bool) -> None:
        """A PIN was refused unjudged: the precinct is not quiet."""
        for newest in islice(self._run(precinct, at, is_chair=is_chair), 1):
            newest.pressed_at = at

    def _wrong(self, number: str, at: float) -> list[float]:
        """When a number's wrong PINs were; a success forgives its earlier ones on that precinct."""
        wrong: dict[str, list[float]] = {}
        for each in self._by_caller.get(number, ()):
            if each.at <= at - DAY:
                continue
            if each.is_accepted:
                wrong.pop(each.precinct, None)
            else:
                wrong.setdefault(each.precinct, []).append(each.at)
        return [then for times in wrong.values() for then in times]

    def _run(self, precinct: str, at: float, *, is_chair: bool) -> list[Tried]:
        """Wrong PINs in a row from numbers of that kind, newest first."""
        return list(islice(self._in_a_row(precinct, at, is_chair=is_chair), NEWEST))

    def _in_a_row(self, precinct: str, at: float, *, is_chair: bool) -> Iterator[Tried]:
        """A success ends the row; a stranger's ends no chair's. A stranger's row is ended by quiet as well."""
        after = at
        for each in reversed(self._on_precinct.get(precinct, ())):
            if each.is_accepted and (each.is_chair_number or not is_chair):
                return
            if each.is_accepted or each.is_chair_number != is_chair:
                continue
            quiet = after - max(each.at, each.pressed_at)
            if not is_chair and quiet > MINUTE * self._ceilings.quiet_minutes:
                return
            yield each
            after = each.at


def _guess(tried: Tried) -> Mark:
    return Mark("guess", instant(tried.at), tried.call, tried.precinct)
