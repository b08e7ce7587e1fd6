"""Which alerts should stand, judged from what is known of the line: one rule each, in the order of the runbooks.

Pure: what is looked at and who is told stand elsewhere. Contested precincts, an attack, spent guesses, a broken policy
and dead letters raise their own alerts where they happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hotline.services.monitoring import Figures, abandoned, age
from hotline.store.request_counts import Requests

SLOW, VERY_SLOW = 0.5, 1.5
"""Seconds within which nineteen in twenty callers should be answered, and those after which a person must act."""
FEWEST_REQUESTS = 20
OLD_JOB, VERY_OLD_JOB = 10.0, 60.0
FORGED = 5
MANY, FEW = 3.0, 0.3
"""Times as many calls a minute as were expected at the peak."""
CHALLENGED = 0.02
LEFT, FEWEST_ENDS = 0.05, 20
PERSON_WAITS = 60.0
UNSEALED = 30.0
CLOCKS_APART = 2.0
FREE = 0.2


@dataclass(frozen=True)
class Alarm:
    """An alert that should stand: its kind, which names its runbook, what it is about, and one sentence."""

    kind: str
    text: str
    subject: str = ""


NONE = Requests()


@dataclass(frozen=True)
class Known:
    """What is judged.

    `requests` are those of the last minute on this machine. `expected` is calls a minute at the peak, 0 when nobody
    said; `is_peak` whether that is now. `silent` are counties behind the curve; `broken` is what is wrong with the
    sealed ledger, "" for nothing. `has_queue` says that a Redis is set.
    """

    figures: Figures
    requests: Requests = NONE
    expected: int = 0
    is_peak: bool = False
    silent: tuple[str, ...] = ()
    broken: str = ""
    has_queue: bool = True


Rule = Callable[[Known], Iterator[Alarm]]


def alarms(known: Known) -> list[Alarm]:
    """Every alert that should stand now."""
    return [alarm for rule in RULES for alarm in rule(known)]


def _webhooks(known: Known) -> Iterator[Alarm]:
    slowest = known.requests.quantile(95)
    if slowest is None or known.requests.count < FEWEST_REQUESTS:
        return
    if slowest > SLOW:
        yield Alarm("webhook-slow", f"Callers wait: one turn in twenty takes over {SLOW:g} s")
    if slowest > VERY_SLOW:
        yield Alarm("webhook-very-slow", f"Callers wait long: one turn in twenty takes over {VERY_SLOW:g} s")


def _outbox(known: Known) -> Iterator[Alarm]:
    jobs = known.figures.gauges.jobs
    waits = age(jobs.oldest_at, known.figures.at)
    if waits > OLD_JOB:
        yield Alarm("outbox-old", f"Results are behind: {jobs.count} jobs wait, the oldest for {waits:.0f} s")
    if waits > VERY_OLD_JOB:
        yield Alarm("outbox-very-old", f"Results stand still: {jobs.count} jobs wait, the oldest for {waits:.0f} s")


def _queue(known: Known) -> Iterator[Alarm]:
    queue = known.figures.queue
    if queue is None:
        if known.has_queue:
            yield Alarm("redis-away", "Redis does not answer: calls go on, results wait for it")
        return
    if queue.workers == 0:
        yield Alarm("no-worker", "No worker was heard of for half a minute: results wait")
    if not queue.is_kept:
        yield Alarm("redis-log", "Redis could not write its log: what is queued would not outlive it")
    if abs(queue.ahead) > CLOCKS_APART:
        yield Alarm("clock", f"The clock of this machine and that of Redis are {abs(queue.ahead):.1f} s apart")


def _forged(known: Known) -> Iterator[Alarm]:
    if known.requests.forged >= FORGED:
        yield Alarm("forged", f"{known.requests.forged} requests in a minute were not signed by the carrier")


def _traffic(known: Known) -> Iterator[Alarm]:
    calls = sum(known.figures.minute.began.values())
    if known.expected and calls > MANY * known.expected:
        yield Alarm("calls-many", f"{calls} calls in a minute, {known.expected} were expected at the peak")
    if known.expected and known.is_peak and calls < FEW * known.expected:
        yield Alarm("calls-few", f"{calls} calls in a minute, {known.expected} were expected: can the line be reached?")


def _chairs(known: Known) -> Iterator[Alarm]:
    met = [(each.decision, count) for each, count in known.figures.lately.began.items() if each.is_chair]
    total = sum(count for _, count in met)
    challenged = sum(count for decision, count in met if decision in ("challenge", "slow"))
    if challenged > CHALLENGED * total:
        yield Alarm("chair-challenged", f"{challenged} of {total} calls from numbers on file were challenged")
    if turned_away := sum(count for decision, count in met if decision in ("reject", "message")):
        yield Alarm("chair-rejected", f"{turned_away} of {total} calls from numbers on file were turned away")


def _hang_ups(known: Known) -> Iterator[Alarm]:
    lately = known.figures.lately
    ended = sum(count for ending, count in lately.ended.items() if ending.is_chair)
    left = abandoned(lately, chairs_only=True)
    if ended >= FEWEST_ENDS and sum(left.values()) > LEFT * ended:
        step = max(left, key=lambda each: left[each])
        yield Alarm("chair-hangups", f"{sum(left.values())} of {ended} chairs hung up half way, most at: {step}")


def _staff(known: Known) -> Iterator[Alarm]:
    """More callers asked for a person than there are telephones: those who asked last are with nobody."""
    asking, staff = known.figures.gauges.asking, known.figures.staff
    waits = age(asking[staff], known.figures.at) if len(asking) > staff else 0.0
    if waits > PERSON_WAITS:
        yield Alarm("staff-wait", f"{len(asking) - staff} callers wait for a person, one for {waits:.0f} s")


def _counties(known: Known) -> Iterator[Alarm]:
    for county in known.silent:
        counted = known.figures.counties[county]
        yield Alarm(
            "county-silent", f"{county} is silent: {counted['reported']} of {counted['total']} reported", county
        )


def _seal(known: Known) -> Iterator[Alarm]:
    if known.broken:
        yield Alarm("seal-broken", f"The ledger is not what was sealed: {known.broken}")
    behind = age(known.figures.gauges.unsealed.oldest_at, known.figures.at)
    if behind > UNSEALED:
        yield Alarm("seal-behind", f"Nothing was sealed for {behind:.0f} s")


def _disk(known: Known) -> Iterator[Alarm]:
    if known.figures.free < FREE:
        yield Alarm("disk", f"{known.figures.free:.0%} of the disk under the data folder is free")


RULES: tuple[Rule, ...] = (
    *(_webhooks, _outbox, _queue, _forged, _traffic, _chairs, _hang_ups, _staff, _counties, _seal, _disk),
)

KINDS = (
    *("webhook-slow", "webhook-very-slow", "outbox-old", "outbox-very-old", "redis-away", "no-worker", "redis-log"),
    *("clock", "forged", "calls-many", "calls-few", "chair-challenged", "chair-rejected", "chair-hangups"),
    *("staff-wait", "county-silent", "seal-broken", "seal-behind", "disk"),
)
"""Every kind a rule can name."""
ELSEWHERE = ("contested", "attack", "guesses", "policy", "dead-letter")
"""Kinds that are raised, and taken down, where they happen."""
