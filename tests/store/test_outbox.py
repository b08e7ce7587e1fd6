"""The outbox: a job is handed out until its effect is kept, in order, and is never forgotten."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from hotline.events.decisions import SiteClosed
from hotline.events.kinds import ReportConfirmed
from hotline.store.database import writing
from hotline.store.ledger import Ledger
from hotline.store.outbox import Backlog, Job, Outbox, acknowledge, open_jobs
from tests.store.held import BOTH, HeldClock

CODE, OTHER = "00013", "00027"
FIRST, SECOND = Job("tab-00013-1-1", CODE, 1, 1), Job("tab-00027-0-2", OTHER, 0, 2)
AT = "2020-02-03T19:00:00.000Z"
pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)


@pytest.fixture
def outbox(engine: Engine, clock: HeldClock, ledger: Ledger) -> Outbox:
    """An outbox with a job for each of two precincts."""
    ledger.append(
        [ReportConfirmed(CODE, 1, "123450", 3, {}, {}, {}, "rule"), SiteClosed(OTHER, "did not convene", "ana")]
    )
    return Outbox(engine, clock)


def done(engine: Engine, precinct: str) -> None:
    with writing(engine) as connection:
        acknowledge(connection, open_jobs(connection, precinct), AT)


def test_new_jobs_are_pending_in_order(outbox: Outbox) -> None:
    """Oldest first, and as many as asked for; looking takes nothing."""
    assert [FIRST, SECOND] == outbox.pending() == outbox.pending()
    assert [FIRST] == outbox.pending(limit=1)
    assert Backlog(2, AT) == outbox.backlog()


def test_relayed_job_is_pending_no_more(outbox: Outbox, clock: HeldClock) -> None:
    """The queue has it; it is still in the backlog, and stale once nobody acknowledged it for half a minute."""
    outbox.mark_relayed([FIRST])
    outbox.mark_relayed([])
    assert [SECOND] == outbox.pending()
    clock.move(seconds=29)
    assert [] == outbox.stale()
    clock.move(seconds=1)
    assert [FIRST] == outbox.stale()
    outbox.mark_relayed([FIRST])
    assert [] == outbox.stale(), "handed over again, it has another half minute"
    clock.move(hours=-1)
    assert [FIRST] == outbox.stale(), "the clock was set back: nobody knows how long ago that was"
    clock.move(hours=1)
    assert 2 == outbox.backlog().depth


def test_acknowledged_job_is_gone_for_good(outbox: Outbox, engine: Engine, clock: HeldClock) -> None:
    """Done is done, relayed or not, and however late the relay notes that it handed the job over."""
    done(engine, CODE)
    outbox.mark_relayed([FIRST])
    clock.move(seconds=60)
    assert ([SECOND], []) == (outbox.pending(), outbox.stale())
    done(engine, OTHER)
    done(engine, OTHER)
    assert Backlog(0, None) == outbox.backlog()


def test_acknowledgement_is_undone_with_its_effect(outbox: Outbox, engine: Engine) -> None:
    """A worker that dies before its commit has done nothing: the job is handed out again."""
    with pytest.raises(ZeroDivisionError), writing(engine) as connection:
        _ = acknowledge(connection, open_jobs(connection, CODE), AT), 1 / 0
    assert [FIRST, SECOND] == outbox.pending()


def test_results_can_be_asked_for_afresh(outbox: Outbox, engine: Engine) -> None:
    """One precinct's jobs, or all of them, are handed out once more."""
    outbox.mark_relayed([FIRST, SECOND])
    done(engine, CODE)
    done(engine, OTHER)
    outbox.requeue(CODE)
    assert [FIRST] == outbox.pending()
    outbox.requeue()
    assert [FIRST, SECOND] == outbox.pending()
