"""Carriers that do not behave: everything five times at once, turns too early and too late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import cycle, islice

from hotline.practice.document import Answer
from hotline.practice.interpreter import Post
from hotline.practice.trunk import Trunk
from tests.faults.callers import Tally

TIMES = 5
TURN = "/voice/turn/"


def fivefold(trunks: Sequence[Trunk], tally: Tally) -> Post:
    """Every request five times at once, over connections of their own, the hosts in turn; all must say the same."""
    lines = [replace(each) for each in islice(cycle(trunks), TIMES)]
    threads = ThreadPoolExecutor(TIMES)

    def post(url: str, fields: Mapping[str, str]) -> Answer:
        try:
            answers = list(threads.map(lambda line: line.post(url, fields), lines))
        finally:
            if url.endswith("/voice/ended"):
                for line in lines:
                    line.close()
        _compare(tally, answers)
        return answers[0]

    return post


def untimely(trunks: Sequence[Trunk], tally: Tally) -> Post:
    """Before each turn the one after it, which nobody asked for yet; after it, and after the call, the same again.

    The first may not move the call. The others must hear the stored answer to the byte.
    """
    line, last = trunks[0], {}

    def post(url: str, fields: Mapping[str, str]) -> Answer:
        path, _, number = url.partition(TURN)
        if number.isdecimal() and "Digits" in fields:
            line.post(f"{path}{TURN}{int(number) + 1}", {**fields, "Digits": "7"})
        answered = line.post(url, fields)
        if url.endswith("/voice/ended"):
            if "turn" in last:
                again_url, again, before = last.pop("turn")
                _compare(tally, [before, line.post(again_url, again)])
            return answered
        if TURN in url:
            last["turn"] = url, fields, answered
        _compare(tally, [answered, line.post(url, fields)])
        return answered

    return post


def _compare(tally: Tally, answers: Sequence[Answer]) -> None:
    if len({(each.status, each.body) for each in answers}) > 1:
        with tally.lock:
            tally.unlike += 1
