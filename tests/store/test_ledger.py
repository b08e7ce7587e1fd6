"""The ledger: a turn is kept whole and once, drafts have one owner, events cannot be changed."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from hotline.errors import NotRecorded, UnknownCall
from hotline.events.decisions import ReportRejected, SiteClosed
from hotline.events.kinds import (
    CallEnded,
    ChairSignedIn,
    HeadcountGiven,
    ReportConfirmed,
    TallyGiven,
    to_body,
)
from hotline.store.database import reading, writing
from hotline.store.ledger import Keeping, Ledger, NewCall
from tests.store.held import BOTH

CODE, OTHER = "00013", "00027"
REPORT = ReportConfirmed(CODE, 1, "123450", 104, {"Biden": 12}, {"Biden": 15}, {"Biden": 2}, "rule")

pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)


def opened(ledger: Ledger, sid: str = "CA1", caller: str = "+15155551234") -> str:
    with ledger.open_call(NewCall(sid, caller, "+15155550000")) as turn:
        turn.record(Keeping([], {"turn": 1, "state": "code", "draft": None}, "<first/>"))
    return sid


def took(ledger: Ledger, sid: str, n: int, *events: object, draft: object = None, **kept: object) -> None:
    with ledger.turn(sid, n) as turn:
        session = {"turn": n + 1, "state": "headcount", "draft": draft, "precinct": kept.get("precinct")}
        turn.record(Keeping(list(events), session, f"<answer{n}/>", **kept))  # type: ignore[arg-type]


def test_turn_returns_session_of_turn_before(ledger: Ledger) -> None:
    """What one turn keeps, the next one finds."""
    opened(ledger)
    took(ledger, "CA1", 1, precinct=CODE, draft={"headcount": 7})
    with ledger.turn("CA1", 2) as turn:
        assert (2, None, False) == (turn.expected, turn.stored, turn.taken_over)
        assert {"turn": 2, "state": "headcount", "draft": {"headcount": 7}, "precinct": CODE} == turn.session
    assert {"headcount": 7} == (ledger.session("CA1") or {})["draft"]


def test_repeated_turn_gets_stored_answer(ledger: Ledger) -> None:
    """A turn already taken, the first ring too, has the very same answer again, however many turns later."""
    opened(ledger)
    took(ledger, "CA1", 1, HeadcountGiven(CODE, 104))
    took(ledger, "CA1", 2, TallyGiven(CODE, "first", "Biden", 12))
    with ledger.turn("CA1", 1) as turn:
        assert "<answer1/>" == turn.stored
    with ledger.open_call(NewCall("CA1", "+15155551234", "+15155550000")) as turn:
        assert "<first/>" == turn.stored
    assert 2 == ledger.head()


@pytest.mark.parametrize("n", [0, 1, 3])
def test_turn_out_of_order_cannot_be_recorded(ledger: Ledger, n: int) -> None:
    """A turn that is not the next one changes nothing, whoever tries."""
    opened(ledger)
    took(ledger, "CA1", 1)
    with pytest.raises(ValueError, match="turn 2 is next"):
        took(ledger, "CA1", n, HeadcountGiven(CODE, 104))
    assert 0 == ledger.head()
    with ledger.turn("CA1", 2) as turn:
        assert 2 == turn.expected


def test_unknown_call_is_refused(ledger: Ledger) -> None:
    """A turn or an end of a call never answered raises, and leaves nothing."""
    with pytest.raises(UnknownCall), ledger.turn("CA404", 1):
        pass
    with pytest.raises(UnknownCall):
        ledger.end_call("CA404", "completed", 3)
    assert ledger.session("CA404") is None


def test_turn_left_unrecorded_keeps_nothing(ledger: Ledger) -> None:
    """Looking at a turn takes nothing; a crash after recording and before the commit keeps nothing."""
    opened(ledger)
    with ledger.turn("CA1", 1):
        pass
    lost = Keeping([HeadcountGiven(CODE, 104), REPORT], {"turn": 2}, "<lost/>", CODE, claim_draft=True)
    with pytest.raises(ZeroDivisionError), ledger.turn("CA1", 1) as turn:
        _ = turn.record(lost), 1 / 0
    with ledger.turn("CA1", 1) as turn:
        assert (None, 1) == (turn.stored, turn.expected)
    assert 0 == ledger.head()
    with ledger.open_call(NewCall("CA2", "", "")):
        pass
    with pytest.raises(UnknownCall), ledger.turn("CA2", 1):
        pass


def test_events_come_back_in_order_and_equal(ledger: Ledger) -> None:
    """What was recorded is read back as it was, numbered from 1 without a gap, by precinct and as a whole."""
    opened(ledger)
    given = [ChairSignedIn(CODE), TallyGiven(CODE, "first", "Biden", 12), REPORT, ChairSignedIn(OTHER)]
    took(ledger, "CA1", 1, *given)
    whole = list(ledger.events())
    assert given == [recorded.event for recorded in whole]
    assert [1, 2, 3, 4] == [recorded.seq for recorded in whole]
    assert {("CA1", "2020-02-03T19:00:00.000Z")} == {(recorded.call, recorded.at) for recorded in whole}
    assert given[:3] == [recorded.event for recorded in ledger.history(CODE)]
    assert given[1:3] == [recorded.event for recorded in ledger.events(after=1, upto=3)]
    assert to_body(REPORT) == to_body(ledger.history(CODE)[2].event)


def test_standing_follows_reports_and_staff(ledger: Ledger) -> None:
    """The standing is folded from the ledger; `upto` shows it as it was."""
    opened(ledger)
    took(ledger, "CA1", 1, REPORT)
    ledger.append([ReportRejected(CODE, 1, "ana", "misread"), SiteClosed(OTHER, "did not convene", "ana")])
    assert (None, 2) == (ledger.standing(CODE).current, ledger.standing(CODE).next_version)
    assert {CODE: ledger.standing(CODE), OTHER: ledger.standing(OTHER)} == ledger.standings()
    assert {CODE: (1, REPORT)} == {code: each.current for code, each in ledger.standings(upto=1).items()}


def test_one_version_is_confirmed_once(ledger: Ledger) -> None:
    """A second version 1 of a precinct is refused by the database, with all that came with it."""
    opened(ledger)
    took(ledger, "CA1", 1, REPORT)
    with pytest.raises(NotRecorded):
        took(ledger, "CA1", 2, HeadcountGiven(CODE, 9), REPORT)
    assert [REPORT] == [recorded.event for recorded in ledger.events()]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET body = '{}'",
        "UPDATE events SET at = at WHERE seq = 1",
        "DELETE FROM events",
        "DELETE FROM events WHERE seq = 1",
    ],
)
def test_events_cannot_be_changed_or_removed(ledger: Ledger, engine: Engine, sql: str) -> None:
    """The database itself refuses, whoever asks."""
    ledger.append([REPORT])
    with pytest.raises((DBAPIError, NotRecorded), match="never changed"), writing(engine) as connection:
        connection.execute(text(sql))
    assert [REPORT] == [recorded.event for recorded in ledger.events()]


def test_events_cannot_be_replaced_or_truncated(ledger: Ledger, engine: Engine) -> None:
    """Nor by the roundabout ways each database has."""
    ledger.append([REPORT])
    again = "INTO events (seq, at, call, precinct, kind, version, body) VALUES"
    row = f"'', '', '{CODE}', 'ReportConfirmed', 1, '{{}}'"
    tries = {
        "sqlite": [f"INSERT OR REPLACE {again} (1, {row})", f"REPLACE {again} (2, {row})"],
        "postgresql": ["TRUNCATE events", "TRUNCATE events CASCADE"],
    }
    for sql in tries[engine.dialect.name]:
        with pytest.raises((DBAPIError, NotRecorded), match="never changed"), writing(engine) as connection:
            connection.execute(text(sql))
    assert [REPORT] == [recorded.event for recorded in ledger.events()]


def test_confirmed_report_leaves_its_job(ledger: Ledger, engine: Engine) -> None:
    """Whatever moves a result has an outbox row, named by precinct, version and seq; nothing else has."""
    opened(ledger)
    took(ledger, "CA1", 1, HeadcountGiven(CODE, 104), REPORT)
    ledger.append([SiteClosed(OTHER, "did not convene", "ana"), CallEnded("completed", "done", 3)])
    with reading(engine) as connection:
        jobs = connection.execute(text("SELECT job FROM outbox ORDER BY seq")).scalars().all()
    assert [f"tab-{CODE}-1-2", f"tab-{OTHER}-0-3"] == jobs


def test_end_of_call_is_noted_once(ledger: Ledger) -> None:
    """The carrier may say it twice, and change its mind; the first word stands, with the state the call was in."""
    opened(ledger)
    assert ledger.end_call("CA1", "completed", 182)
    assert not ledger.end_call("CA1", "failed", 1)
    assert [CallEnded("completed", "code", 182)] == [recorded.event for recorded in ledger.events()]


def test_newest_call_owns_the_draft(ledger: Ledger) -> None:
    """Whoever opens the report last owns it; the call before is told at its next key, and never before."""
    opened(ledger)
    took(ledger, "CA1", 1, precinct=CODE, claim_draft=True, draft={"headcount": 104})
    opened(ledger, "CA2")
    with ledger.turn("CA2", 1) as turn:
        half = turn.half_given(CODE)
        assert half is not None
        assert ("CA1", {"headcount": 104}) == (half.call, half.draft)
    took(ledger, "CA2", 1, precinct=CODE)
    with ledger.turn("CA2", 2) as turn:
        assert not turn.taken_over, "signed in, but the report is not opened"
    took(ledger, "CA2", 2, precinct=CODE, claim_draft=True, draft={"headcount": 105})
    with ledger.turn("CA1", 2) as turn:
        assert turn.taken_over
    with ledger.turn("CA2", 3) as turn:
        assert not turn.taken_over


def test_call_overtaken_by_a_filed_report_is_told(ledger: Ledger) -> None:
    """The other call filed the report and its draft is gone: the call before must not go on and file another."""
    opened(ledger)
    took(ledger, "CA1", 1, precinct=CODE, claim_draft=True)
    opened(ledger, "CA2")
    took(ledger, "CA2", 1, precinct=CODE, claim_draft=True)
    took(ledger, "CA2", 2, REPORT, precinct=CODE, close_draft=True)
    assert ledger.half_given(CODE) is None
    with ledger.turn("CA1", 2) as turn:
        assert turn.taken_over
    with ledger.turn("CA2", 3) as turn:
        assert not turn.taken_over


def test_draft_is_parked_when_its_call_goes_elsewhere(ledger: Ledger) -> None:
    """A half-given report outlives the interest of its call; a newer opening begins from it and unparks it."""
    opened(ledger)
    took(ledger, "CA1", 1, precinct=CODE, claim_draft=True, draft={"headcount": 104})
    took(ledger, "CA1", 2, precinct=None, parked=(CODE, {"headcount": 104}))
    took(ledger, "CA1", 3, precinct=OTHER, claim_draft=True, draft={"headcount": 9})
    half = ledger.half_given(CODE)
    assert half is not None
    assert {"headcount": 104} == half.draft
    opened(ledger, "CA2")
    took(ledger, "CA2", 1, precinct=CODE, claim_draft=True, draft={"headcount": 105})
    half = ledger.half_given(CODE)
    assert half is not None
    assert ("CA2", {"headcount": 105}) == (half.call, half.draft)
    with ledger.turn("CA1", 4) as turn:
        assert not turn.taken_over, "it reports another precinct by now"


def test_owner_lost_in_the_same_moment_does_not_file(ledger: Ledger, engine: Engine) -> None:
    """If another call opens the report between our look and our commit, our confirmation is not kept."""
    opened(ledger)
    took(ledger, "CA1", 1, precinct=CODE, claim_draft=True)
    opened(ledger, "CA2")
    filing = Keeping([REPORT], {"turn": 3}, "<recorded/>", CODE, close_draft=True)
    with pytest.raises(NotRecorded, match="A newer call"), ledger.turn("CA1", 2) as turn:
        _ = turn._connection.execute(text("UPDATE drafts SET call = 'CA2'")), turn.record(filing)
    assert 0 == ledger.head()
