"""Sealing: everything committed comes under one link each time, in order, whatever else is being written."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from hotline.events.kinds import HeadcountGiven
from hotline.services.verification import verify
from hotline.store.database import writing
from hotline.store.evidence import evidence
from hotline.store.ledger import Ledger
from hotline.store.seal import Signer
from hotline.store.seals import Seals
from hotline.store.statements import statements
from hotline.store.writer import write_events
from tests.store.held import BOTH, HeldClock

CODE = "00013"
SIGNER = Signer("a1" * 32)

both = pytest.mark.parametrize("url", BOTH, indirect=True)


@pytest.fixture
def seals(engine: Engine, clock: HeldClock) -> Seals:
    return Seals(engine, clock, SIGNER)


def said(ledger: Ledger, count: int) -> None:
    ledger.append([HeadcountGiven(CODE, number) for number in range(count)])


@both
def test_nothing_is_sealed_twice_or_left(ledger: Ledger, seals: Seals, engine: Engine) -> None:
    """Each call seals what came since; with nothing new there is no link."""
    assert (0, None, 0) == (seals.seal(), seals.head(), seals.behind())
    said(ledger, 3)
    assert (3, 3) == (seals.behind(), seals.seal())
    said(ledger, 2)
    assert (2, 0, 0) == (seals.seal(), seals.seal(), seals.behind())
    head = seals.head()
    assert head is not None
    with evidence(engine) as found:
        report = verify(found, SIGNER.public, {"elsewhere": [(head.n, head.head)]})
    assert (5, 2, 0, []) == (report.events, report.links, report.unsealed, report.faults)
    assert head.head == report.head


@both
@pytest.mark.parametrize("wrong", ["UPDATE seals SET at = ''", "DELETE FROM seals"])
def test_database_refuses_to_change_a_link(ledger: Ledger, seals: Seals, engine: Engine, wrong: str) -> None:
    """Links are never changed or removed, by whatever program."""
    said(ledger, 1)
    seals.seal()
    with pytest.raises(DBAPIError, match="never changed"), engine.begin() as connection:
        connection.execute(text(wrong))


@both
def test_events_written_meanwhile_are_never_passed_over(ledger: Ledger, seals: Seals, engine: Engine) -> None:
    """Four writers and a sealer at once: whatever number an event got, it is under a link in the end."""
    done = threading.Event()
    writers = [threading.Thread(target=lambda: [said(ledger, 1) for _ in range(25)]) for _ in range(4)]

    def keep_sealing() -> None:
        while not done.is_set():
            seals.seal()

    sealer = threading.Thread(target=keep_sealing)
    for each in (*writers, sealer):
        each.start()
    for each in writers:
        each.join()
    done.set()
    sealer.join()
    seals.seal()
    with evidence(engine) as found:
        report = verify(found, SIGNER.public, {})
    assert (100, 0, []) == (report.events, report.unsealed, report.faults)


@pytest.mark.parametrize("url", BOTH[1:], indirect=True)
def test_an_event_that_commits_late_is_waited_for(ledger: Ledger, seals: Seals, engine: Engine) -> None:
    """A lower number whose transaction is still open: the sealer waits for it rather than sealing past it."""
    opened, release = threading.Event(), threading.Event()

    def late() -> None:
        with writing(engine) as connection:
            write_events(connection, statements(engine.dialect), [HeadcountGiven(CODE, 1)], "", "")
            opened.set()
            release.wait(10)

    writer = threading.Thread(target=late)
    writer.start()
    assert opened.wait(10)
    said(ledger, 1)
    counted: list[int] = []
    sealer = threading.Thread(target=lambda: counted.append(seals.seal()))
    sealer.start()
    sealer.join(0.5)
    assert sealer.is_alive(), "sealed past a transaction that is still open"
    release.set()
    sealer.join(10)
    writer.join(10)
    assert [2] == counted
