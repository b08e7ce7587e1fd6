"""Two of staff decide together, and the database knows it: on either of them, whoever writes past our code."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from hotline.errors import Overtaken
from hotline.events.decisions import ReportRejected
from hotline.store.credentials import Vault
from hotline.store.ledger import Ledger
from hotline.store.reviews import Reviews
from hotline.store.staff import Session, StaffAccounts
from tests.store.held import BOTH, KEY, HeldClock

on_both = pytest.mark.parametrize("url", BOTH, indirect=True)
SUBJECT = "report-00013"
DECIDE = text(
    "INSERT INTO decisions (proposal, proposed_by, by, word, why, session, at)"
    " VALUES (1, :proposer, :by, :word, '', '', '')"
)


@pytest.fixture
def reviews(engine: Engine, clock: HeldClock) -> Reviews:
    """With two of staff and a proposal of ana's."""
    accounts = StaffAccounts(engine, clock, KEY, Vault("a secret key of this test, 32 bytes and more"))
    for name in ("ana", "ben"):
        accounts.add(name, "supervisor", "root")
    opened = Reviews(engine, clock)
    with opened.deciding(session("ana"), SUBJECT) as work:
        assert work.propose("accept", "00013", 1, {"first.Biden": 2}, "the paper says so") == 1
    return opened


def session(name: str) -> Session:
    return Session(name, "supervisor", "", False, name)


@on_both
@pytest.mark.parametrize(
    ("proposer", "by", "word"),
    [("ana", "ana", "approved"), ("ben", "ana", "approved"), ("ben", "ben", "declined"), ("ana", "eve", "approved")],
)
def test_approval_that_is_not_another_s_is_refused(
    engine: Engine, reviews: Reviews, proposer: str, by: str, word: str
) -> None:
    """By the proposer, under a false proposer's name, or by nobody of staff."""
    with pytest.raises(DBAPIError), engine.begin() as connection:
        connection.execute(DECIDE, {"proposer": proposer, "by": by, "word": word})
    (waiting,) = reviews.waiting()
    assert (waiting.by, waiting.changes, waiting.word) == ("ana", {"first.Biden": 2}, "")


@on_both
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE proposals SET by = 'ben'",
        "DELETE FROM proposals",
        "UPDATE decisions SET word = 'declined'",
        "DELETE FROM decisions",
    ],
)
def test_what_was_proposed_and_decided_stands(engine: Engine, reviews: Reviews, statement: str) -> None:
    """No statement changes or removes it."""
    with engine.begin() as connection:
        connection.execute(DECIDE, {"proposer": "ana", "by": "ben", "word": "approved"})
    with pytest.raises(DBAPIError, match="never changed or removed"), engine.begin() as connection:
        connection.execute(text(statement))


@pytest.mark.parametrize("table", ["proposals", "decisions"])
def test_nothing_is_replaced(engine: Engine, reviews: Reviews, table: str) -> None:
    """SQLite's INSERT OR REPLACE is refused like the rest."""
    with engine.begin() as connection:
        connection.execute(DECIDE, {"proposer": "ana", "by": "ben", "word": "approved"})
    with pytest.raises(DBAPIError, match="never changed or removed"), engine.begin() as connection:
        connection.execute(text(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}"))


@on_both
def test_second_word_is_given_once(engine: Engine, reviews: Reviews, clock: HeldClock) -> None:
    """Two at the same moment: one decides, the other is told, and one event is written."""
    proposal = reviews.find(1)
    assert proposal
    told: list[str] = []
    meeting = threading.Barrier(2)

    def decide(name: str) -> None:
        meeting.wait()
        try:
            with reviews.deciding(session(name), SUBJECT) as work:
                work.decide(proposal, "declined", "no")
                work.record(ReportRejected("00013", 1, name, "no"))
            told.append("decided")
        except Overtaken:
            told.append("overtaken")

    racing = [threading.Thread(target=decide, args=(name,)) for name in ("ana", "ben")]
    for thread in racing:
        thread.start()
    for thread in racing:
        thread.join()
    assert sorted(told) == ["decided", "overtaken"]
    assert [each.precinct for each in Ledger(engine, clock).events()] == ["", "", "00013"]
    assert reviews.waiting() == []


@on_both
def test_claim_is_one_s_own_until_it_ends(reviews: Reviews, clock: HeldClock) -> None:
    """Taken again it lasts longer; another gets it afterwards, and nobody gives back what is not theirs."""
    reviews.claim("call-1", "ana")
    clock.move(minutes=4)
    assert reviews.claim("call-1", "ana").until == "2020-02-03T19:09:00.000Z"
    with pytest.raises(Overtaken, match="ana is at this until 19:09"):
        reviews.claim("call-1", "ben")
    reviews.release("call-1", "ben")
    assert set(reviews.claims()) == {"call-1"}
    clock.move(minutes=5)
    assert reviews.claims(("call-1",)) == {}
    assert reviews.claim("call-1", "ben").by == "ben"


@on_both
def test_what_fails_half_way_leaves_nothing(engine: Engine, reviews: Reviews, clock: HeldClock) -> None:
    """Neither the decision nor its events nor the claim."""
    proposal = reviews.find(1)
    assert proposal

    def fail() -> None:
        with reviews.deciding(session("ben"), SUBJECT) as work:
            work.decide(proposal, "approved", "")
            work.record(ReportRejected("00013", 1, "ben", "no"))
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError):
        fail()
    assert [each.id for each in reviews.waiting()] == [1]
    assert [each.precinct for each in Ledger(engine, clock).events()] == ["", ""]
    assert reviews.claims() == {}
