"""Calls screened at the first ring: what each decision sounds like, what is kept of it, and what comes after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from redis import Redis

from hotline.dialog.sign_in import SIGN_INS
from hotline.events.guard import CallScreened
from hotline.events.kinds import CallAnswered, CallEnded
from hotline.screening.verdict import Decision, Verdict
from hotline.services import intake, screening
from hotline.services.line import Line
from hotline.settings import config_folder
from hotline.store.embedded import Embedded
from hotline.telephony.inbound import InboundCall
from hotline.telephony.speech import seconds
from tests.lines import line_on
from tests.services.callers import Caller, sid, spoken

STRANGER, CHAIR = "+15155550101", "+15155550177"
CODE = "00013"
BLOCK = timedelta(hours=1)
Meets = Callable[[Decision], None]


def events(line: Line, kind: type) -> list[object]:
    return [each.event for each in line.ledger.events() if isinstance(each.event, kind)]


@pytest.fixture
def meets(monkeypatch: pytest.MonkeyPatch) -> Meets:
    """Have every call met in one way, whatever the policy says."""

    def meet(decision: Decision) -> None:
        lanes = {"challenge": "challenged", "slow": "slow", "reject": "slow"}
        verdict = Verdict(decision, lanes.get(decision, "unknown"), 42, {"AB-04": 42}, ("AB-04",), "2020-1")  # type: ignore[arg-type]
        monkeypatch.setattr(screening, "judge", lambda recent, policy: verdict)

    return meet


def test_rejected_call_is_a_busy_line_and_kept(line: Line, meets: Meets) -> None:
    """Reject is the first verb, so nobody answers and nobody pays; the decision stands with its reasons."""
    meets("reject")
    caller = Caller(line, sid(1), STRANGER)
    answer = caller.ring()
    assert answer == '<?xml version="1.0" encoding="UTF-8"?><Response><Reject reason="busy" /></Response>'
    told = "Rejected (score 42): wrong PINs within an hour."
    kept = CallScreened("reject", "slow", 42, {"AB-04": 42}, ("AB-04",), "2020-1", (), told)
    assert events(line, CallScreened) == [kept]
    assert events(line, CallAnswered) == []
    meets("admit")
    assert answer == caller.ring(), "a repeated ring gets the same bytes"
    assert len(events(line, CallScreened)) == 1


def test_rejected_call_takes_no_line(line: Line, meets: Meets) -> None:
    """It is over when it rings; a turn that comes for it all the same gets a polite end and records nothing."""
    meets("reject")
    caller = Caller(line, sid(1), STRANGER)
    caller.ring()
    assert line.callers.known(STRANGER).live == 0
    caller.hang_up("busy")
    assert events(line, CallEnded) == []
    head = line.ledger.head()
    assert "<Hangup" in caller.key(CODE)
    assert spoken(caller.key("1", turn=5))
    assert head == line.ledger.head()


def test_call_there_is_no_room_for_hears_the_way_back(line: Line, meets: Meets) -> None:
    """Ten seconds of words, the packet's number among them, then the end; which rule it was is not told."""
    meets("message")
    said = Caller(line, sid(1), STRANGER).ring()
    assert "<Hangup" in said
    assert "packet" in spoken(said)
    assert 6 <= seconds(spoken(said)) <= 10
    assert [event.decision for event in events(line, CallScreened)] == ["message"]
    assert len(events(line, CallAnswered)) == 1


def test_challenged_call_is_asked_for_fresh_digits(line: Line, meets: Meets) -> None:
    """Three random digits, others for the next call; the code comes after them."""
    meets("challenge")
    first, second = (Caller(line, sid(n), STRANGER) for n in (1, 2))
    said = [spoken(each.ring()) for each in (first, second)]
    kept = line.ledger.session(first.sid)
    assert kept is not None
    assert " ".join(kept["challenge"]) in said[0]
    assert len(kept["challenge"]) == 3
    assert "five-digit" in spoken(first.key(kept["challenge"]))


def test_slow_call_has_one_sign_in(line: Line, meets: Meets) -> None:
    """Where others have three."""
    meets("slow")
    caller = Caller(line, sid(1), STRANGER)
    caller.ring()
    assert SIGN_INS > 1
    assert "<Hangup" in caller.keys(CODE, "00000000")


def test_block_takes_effect_on_the_next_ring_and_so_does_its_end(line: Line) -> None:
    """Whatever was cached: the number alone is refused, and let in again at once."""
    assert "<Gather" in Caller(line, sid(1), STRANGER).ring()
    line.blocks.block(STRANGER, span=BLOCK, why="abusive", by="ana")
    assert "<Reject" in Caller(line, sid(2), STRANGER).ring()
    assert "<Gather" in Caller(line, sid(3), "+15155550102").ring()
    line.blocks.unblock(STRANGER, why="appeal", by="ben")
    assert "<Gather" in Caller(line, sid(4), STRANGER).ring()


def test_chair_number_is_let_in_whatever_it_did(line: Line) -> None:
    """A number on file with a night of wrong PINs behind it is asked for its code as ever."""
    line.roster.register_number(CHAIR, next(iter(line.contest.precincts)), "chair")
    for n in range(4):
        caller = Caller(line, sid(n + 1), CHAIR)
        caller.ring()
        caller.keys("1", "00000000")
    assert "<Gather" in Caller(line, sid(9), CHAIR).ring()
    assert {event.decision for event in events(line, CallScreened)} == {"admit"}
    assert {event.lane for event in events(line, CallScreened)} == {"chair"}


def test_stranger_who_fails_is_challenged_then_slowed(line: Line) -> None:
    """The ladder of the shipped policy, from what the calls themselves left in the ledger."""
    met = []
    for n in range(4):
        caller = Caller(line, sid(n + 1), STRANGER)
        caller.ring()
        met.append(events(line, CallScreened)[-1].decision)
        if met[-1] in ("admit", "challenge"):
            if met[-1] == "challenge":
                kept = line.ledger.session(caller.sid)
                assert kept is not None
                caller.key(kept["challenge"])
            caller.keys(CODE, "70361548", CODE, "81472659")
    assert met == ["admit", "challenge", "challenge", "slow"]


def test_withheld_callers_are_never_one_caller(line: Line) -> None:
    """However many failed before, the next is met as the first was."""
    for n in range(6):
        caller = Caller(line, sid(n + 1), None)
        caller.ring()
        caller.keys(CODE, "70361548", CODE, "81472659", CODE, "92583760")
    assert {event.score for event in events(line, CallScreened)} == {15}


def test_number_printed_nowhere_is_a_decoy(database: Path, tmp_path: Path) -> None:
    """With the line's own numbers known, a call to another of the account is slowed at its first ring."""
    own = line_on(database, tmp_path, HOTLINE_NUMBERS="+15155550199")
    for n, called in enumerate(("+15155550199", "+15155550198")):
        intake.answer_call(own, InboundCall(sid(n + 1), STRANGER, called))
    assert [event.decision for event in events(own, CallScreened)] == ["admit", "slow"]
    own.ledger.engine.dispose()


def test_registered_only_number_takes_no_strangers(line: Line) -> None:
    """A packet was photographed: strangers on that number hear the message, numbers on file are let in."""
    line.conditions.set_threat("+15155550199", "registered-only", by="ana", why="photographed")
    line.roster.register_number(CHAIR, next(iter(line.contest.precincts)), "chair")
    for n, number in enumerate((STRANGER, CHAIR)):
        Caller(line, sid(n + 1), number).ring()
    assert [event.decision for event in events(line, CallScreened)] == ["message", "admit"]


def test_flood_on_one_number_leaves_the_others_answering(
    database: Path, tmp_path: Path, valkey: Embedded, connection: Redis
) -> None:
    """A packet leaked: strangers who call the number in it are told to call later, those of other packets get in."""
    shipped = (config_folder() / "screening.toml").read_text("utf-8")
    narrow = tmp_path / "screening.toml"
    narrow.write_text(shipped.replace("called = 2000", "called = 20").replace("line = 2400", "line = 30"), "utf-8")
    own = line_on(database, tmp_path, REDIS_URL=valkey.url, HOTLINE_SCREENING=narrow)
    for n in range(60):
        intake.answer_call(own, InboundCall(sid(n + 1), f"+1515555{n + 3000:04}", "+15155550198"))
    met = Counter(event.decision for event in events(own, CallScreened))
    assert met == {"admit": 20, "message": 40}
    for n, called in enumerate(("+15155550199", "+15155550197"), start=100):
        intake.answer_call(own, InboundCall(sid(n), f"+1515555{n + 3000:04}", called))
    assert [event.decision for event in events(own, CallScreened)[60:]] == ["admit", "admit"]
    own.ledger.engine.dispose()


def test_outlook_tells_how_a_call_would_be_met(line: Line) -> None:
    """In words, and without leaving a trace."""
    head = line.ledger.head()
    seen = screening.outlook(line, STRANGER)
    assert seen.verdict.decision == "admit"
    assert seen.told.startswith("Let in")
    line.blocks.block(STRANGER, span=BLOCK, why="abusive", by="ana")
    assert "blocked" in screening.outlook(line, STRANGER).told
    assert line.ledger.head() == head + 1, "the block alone"
