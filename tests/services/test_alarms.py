"""Each rule of the table: what has an alert stand, what does not quite, and that nothing stands on a quiet line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hotline.services.alarms import ELSEWHERE, KINDS, Known, alarms
from hotline.services.monitoring import Figures
from hotline.store.gauges import Gauges, Waiting
from hotline.store.queue_health import QueueHealth
from hotline.store.request_counts import Requests
from hotline.store.tallies import Ending, Ringing, Tally

AT = "2020-02-03T19:10:00.000Z"
SITES = {"total": 10, "reported": 4, "held": 0, "closed": 0, "outstanding": 6}
QUEUE = QueueHealth({"tabulate": 0}, 0, 2, 0.001, True, 0.0)
GAUGES = Gauges(0, (), {}, Waiting(), Waiting(), Waiting(), 0, Waiting())
QUIET = Figures(
    *(AT, GAUGES, Tally(), Tally(), SITES, {"Polk": SITES}, QUEUE, "calm", frozenset(), 0, "quiet", (), 0.5, 1)
)


def ago(seconds: float) -> str:
    """An instant as it is written down, so long before the look."""
    minutes, rest = divmod(10 * 60 - seconds, 60)
    return f"2020-02-03T19:{int(minutes):02d}:{rest:06.3f}Z"


def stand(known: Known) -> set[str]:
    return {alarm.kind for alarm in alarms(known)}


def of(**changed: Any) -> Known:
    """A quiet line but for some figures."""
    return Known(replace(QUIET, **changed))


def gauged(**changed: Any) -> Known:
    return of(gauges=replace(GAUGES, **changed))


def queued(**changed: Any) -> Known:
    return of(queue=replace(QUEUE, **changed))


def asked(count: int, slow: int, bound: float = 15.0) -> Known:
    """So many webhooks in a minute, some of them slower than half a second, and answered within `bound`."""
    within = {0.5: count - slow, 1.5: count - slow if bound > 1.5 else count, 15.0: count}
    return Known(QUIET, Requests(within))


def met(*calls: tuple[str, int], is_chair: bool = True) -> Known:
    """Calls of ten minutes by how they were met."""
    return of(lately=Tally({Ringing("chair", decision, is_chair): count for decision, count in calls}))


def ended(*calls: tuple[str, int], is_chair: bool = True) -> Known:
    return of(lately=Tally({}, {Ending(step, True, is_chair): count for step, count in calls}))


def rung(count: int, expected: int, *, is_peak: bool = False) -> Known:
    minute = Tally({Ringing("unknown", "admit", False): count})
    return Known(replace(QUIET, minute=minute), expected=expected, is_peak=is_peak)


CASES: list[tuple[Known, set[str]]] = [
    (Known(QUIET), set()),
    (asked(100, 5), set()),
    (asked(100, 6, 1.5), {"webhook-slow"}),
    (asked(100, 6), {"webhook-slow", "webhook-very-slow"}),
    (asked(19, 19), set()),
    (gauged(jobs=Waiting(3, ago(10))), set()),
    (gauged(jobs=Waiting(3, ago(11))), {"outbox-old"}),
    (gauged(jobs=Waiting(3, ago(61))), {"outbox-old", "outbox-very-old"}),
    (queued(workers=0), {"no-worker"}),
    (queued(workers=1), set()),
    (queued(is_kept=False), {"redis-log"}),
    (queued(ahead=2.0), set()),
    (queued(ahead=-2.1), {"clock"}),
    (of(queue=None), {"redis-away"}),
    (replace(of(queue=None), has_queue=False), set()),
    (Known(QUIET, Requests(forged=4)), set()),
    (Known(QUIET, Requests(forged=5)), {"forged"}),
    (rung(1_000, 0), set()),
    (rung(180, 60), set()),
    (rung(181, 60), {"calls-many"}),
    (rung(17, 60), set()),
    (rung(18, 60, is_peak=True), set()),
    (rung(17, 60, is_peak=True), {"calls-few"}),
    (met(("admit", 98), ("challenge", 2)), set()),
    (met(("admit", 97), ("challenge", 3)), {"chair-challenged"}),
    (met(("admit", 97), ("slow", 3)), {"chair-challenged"}),
    (met(("challenge", 9), is_chair=False), set()),
    (met(("admit", 999), ("reject", 1)), {"chair-rejected"}),
    (met(("admit", 999), ("message", 1)), {"chair-rejected"}),
    (ended(("done", 95), ("first", 5)), set()),
    (ended(("done", 94), ("first", 6)), {"chair-hangups"}),
    (ended(("done", 94), ("person", 6)), set()),
    (ended(("first", 19)), set()),
    (ended(("first", 90), is_chair=False), set()),
    (gauged(asking=(ago(300),)), set()),
    (gauged(asking=(ago(300), ago(60))), set()),
    (gauged(asking=(ago(300), ago(61))), {"staff-wait"}),
    (Known(QUIET, silent=("Polk",)), {"county-silent"}),
    (Known(QUIET, broken="events 7 was changed"), {"seal-broken"}),
    (gauged(unsealed=Waiting(9, ago(30))), set()),
    (gauged(unsealed=Waiting(9, ago(31))), {"seal-behind"}),
    (of(free=0.2), set()),
    (of(free=0.199), {"disk"}),
]


@pytest.mark.parametrize(("known", "kinds"), CASES)
def test_what_stands(known: Known, kinds: set[str]) -> None:
    """At a limit nothing stands; past it the alert does, and no other."""
    assert kinds == stand(known)


def test_every_kind_is_raised_by_some_case() -> None:
    """The list of kinds is that of the rules, and each is once in it."""
    assert set(KINDS) == {kind for _, kinds in CASES for kind in kinds}
    assert len(KINDS) == len(set(KINDS))
    assert set(KINDS).isdisjoint(ELSEWHERE)


def test_an_alert_says_what_it_is_about() -> None:
    """One for each county that is silent."""
    both = Known(replace(QUIET, counties={"Polk": SITES, "Story": SITES}), silent=("Polk", "Story"))
    assert [
        ("Polk", "Polk is silent: 4 of 10 reported"),
        ("Story", "Story is silent: 4 of 10 reported"),
    ] == [(alarm.subject, alarm.text) for alarm in alarms(both)]
