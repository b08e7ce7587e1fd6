"""Readers of the results never wait for one another, nor cost the callers more than their share."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest

from hotline.clock import Clock
from hotline.web.editions import Editions


@dataclass(frozen=True)
class Still(Clock):
    """A clock that stands until it is moved."""

    hand: list[float]

    def monotonic(self):
        return self.hand[0]

    def pass_by(self, seconds):
        self.hand[0] += seconds


@pytest.fixture
def clock():
    return Still([100.0])


def numbered(clock, takes=0.0):
    """Editions numbered from 1; each takes so long to work out."""
    count = 0

    def work_out():
        nonlocal count
        count += 1
        clock.pass_by(takes)
        return "tonight", {"as_of": count, "at": "then"}

    return Editions(work_out, clock)


def test_an_edition_is_good_for_a_second(clock):
    """The next reader after it gets a new one."""
    editions = numbered(clock)
    assert 1 == editions.newest().results["as_of"]
    clock.pass_by(0.9)
    assert 1 == editions.newest().results["as_of"]
    clock.pass_by(0.2)
    assert 2 == editions.newest().results["as_of"]


def test_one_that_took_long_is_kept_longer(clock):
    """Half a second of work buys ten seconds of rest."""
    editions = numbered(clock, takes=0.5)
    editions.newest()
    clock.pass_by(9.9)
    assert 1 == editions.newest().results["as_of"]
    clock.pass_by(0.2)
    assert 2 == editions.newest().results["as_of"]


def test_nobody_waits_for_the_next_edition(clock):
    """While one reader works it out, the others are given the one before."""
    begun, finish = threading.Event(), threading.Event()
    results = iter([("tonight", {"as_of": 1}), ("tonight", {"as_of": 2})])

    def work_out():
        found = next(results)
        if found[1]["as_of"] == 2:
            begun.set()
            assert finish.wait(5)
        return found

    editions = Editions(work_out, clock)
    editions.newest()
    clock.pass_by(2)
    slow = threading.Thread(target=editions.newest)
    slow.start()
    assert begun.wait(5)
    assert 1 == editions.newest().results["as_of"]
    finish.set()
    slow.join()
    assert 2 == editions.newest().results["as_of"]


def test_results_that_failed_are_tried_again(clock):
    """An error reaches its reader and is not kept."""
    answers = iter([ZeroDivisionError(), ("tonight", {"as_of": 1})])

    def work_out():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    editions = Editions(work_out, clock)
    with pytest.raises(ZeroDivisionError):
        editions.newest()
    assert 1 == editions.newest().results["as_of"]


def test_a_page_is_made_once_an_edition(clock):
    """Every reader of a county gets the same page; the next edition makes its own."""
    editions, made = numbered(clock), []

    def make():
        made.append(len(made))
        return f"page {len(made)}"

    pages = [editions.newest().page("/results/clark", make) for _ in range(3)]
    clock.pass_by(2)
    assert ["page 1"] * 3 + ["page 2"] == [*pages, editions.newest().page("/results/clark", make)]
