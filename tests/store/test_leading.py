"""One leads at a time, on either database, and another takes over when it is gone, however it went."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection

import pytest
from sqlalchemy import Engine, text

from hotline.store.database import connect
from hotline.store.leading import Leading
from tests.store.held import BOTH

both = pytest.mark.parametrize("url", BOTH, indirect=True)


def lead(url: str, told: Connection) -> None:
    """Another process that takes the lead and keeps it until it is killed."""
    told.send(Leading(connect(url), "relay").is_ours())
    signal.pause()


@both
def test_one_leads_and_the_next_takes_over(engine: Engine, url: str) -> None:
    """The second has to wait until the first gives up; names do not know each other."""
    first, second, other = (Leading(each, name) for each, name in (
        (engine, "relay"), (connect(url), "relay"), (engine, "sealer")))  # fmt: skip
    assert (True, False, True, True) == (first.is_ours(), second.is_ours(), other.is_ours(), first.is_ours())
    first.give_up()
    assert (True, False) == (second.is_ours(), first.is_ours())
    for each in (second, other):
        each.give_up()


@both
def test_a_leader_that_is_killed_has_given_up(engine: Engine, url: str) -> None:
    """`kill -9` of the process that leads: the name is free."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=lead, args=(url, theirs))
    process.start()
    leading = Leading(engine, "relay")
    try:
        assert ours.recv()
        assert not leading.is_ours()
    finally:
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join(10)
    for _ in range(100):
        if leading.is_ours():
            break
    assert leading.is_ours()
    leading.give_up()


@pytest.mark.parametrize("url", BOTH[1:], indirect=True)
def test_a_leader_whose_connection_was_cut_does_not_lead(engine: Engine, url: str) -> None:
    """PostgreSQL ended the session: the old leader learns of it at its next look, the other leads."""
    first, second = Leading(engine, "relay"), Leading(connect(url), "relay")
    assert first.is_ours()
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"))
    assert (False, True) == (first.is_ours(), second.is_ours())
    second.give_up()
