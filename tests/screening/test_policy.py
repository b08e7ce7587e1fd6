"""Who gets through: the ladder, its expiry, the lanes, and what the state of the line adds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hotline.screening.policy import KEYLESS, is_staff_free, judge, lane
from hotline.screening.signals import Conditions, MarkKind, Recent
from hotline.telephony.inbound import VERSTAT
from tests.screening.calling import NOW, mark, marked, policy

IOWA = policy()
WATCH, ATTACK = Conditions(state="watch"), Conditions(state="attack")
HANG_UPS: list[MarkKind] = ["hung-up"] * 3
PRANKS: list[MarkKind] = ["hung-up"] * 4 + ["unknown-code"] * 2
WORSE: list[MarkKind] = [*PRANKS, "honeypot"]


@pytest.mark.parametrize(
    ("recent", "expected"),
    [
        (marked(), ("admit", "unknown", 0)),
        (marked("hung-up", "hung-up"), ("admit", "unknown", 20)),
        (marked(*HANG_UPS), ("challenge", "challenged", 30)),
        (marked(*PRANKS), ("slow", "slow", 60)),
        (marked(*WORSE), ("slow", "slow", 120)),
        (marked(*WORSE, conditions=WATCH), ("reject", "slow", 120)),
        (marked("hung-up", "hung-up", conditions=ATTACK), ("admit", "unknown", 20)),
        (marked("wrong-pin", "hung-up", conditions=ATTACK), ("challenge", "challenged", 25)),
        (marked("wrong-pin", "hung-up", conditions=WATCH), ("admit", "unknown", 25)),
        (marked(*PRANKS, "unknown-code"), ("slow", "slow", 70)),
        (marked(*PRANKS, "unknown-code", conditions=WATCH), ("reject", "slow", 70)),
        (marked(*PRANKS, "unknown-code", conditions=ATTACK), ("reject", "slow", 70)),
    ],
)
def test_the_ladder_rises_with_the_score(recent: Recent, expected: tuple[str, str, int]) -> None:
    """30, 60 and 100; rejected sooner when watched, challenged sooner under attack; nobody is rejected in calm."""
    verdict = judge(recent, IOWA)
    assert expected == (verdict.decision, verdict.lane, verdict.score)


@pytest.mark.parametrize(
    ("kinds", "minutes", "expected"),
    [
        (HANG_UPS, 15, "challenge"),
        (HANG_UPS, 16, "admit"),
        (PRANKS, 16, "slow"),
        (PRANKS, 60, "slow"),
        (PRANKS, 61, "admit"),
        (["abusive"], 719, "reject"),
        (["abusive"], 721, "admit"),
        (["honeypot"], 59, "slow"),
        (["honeypot"], 61, "admit"),
    ],
)
def test_each_step_expires_by_itself(kinds: list[MarkKind], minutes: int, expected: str) -> None:
    """A quarter of an hour, an hour, twelve hours after the last bad mark: nobody has to lift anything."""
    marks = tuple(mark(kind, minutes, f"CA{place}") for place, kind in enumerate(kinds))
    assert expected == judge(Recent(NOW, marks, conditions=WATCH), IOWA).decision


def test_what_is_so_of_this_very_call_does_not_expire() -> None:
    """A failed check challenges at each ring, however long ago the last bad mark was."""
    assert judge(marked(verstat="failed"), IOWA).decision == "challenge"
    assert judge(Recent(NOW, (mark("hung-up", 50),), verstat="failed"), IOWA).decision == "challenge"


def test_the_word_of_staff_outlasts_a_vouched_for_number() -> None:
    """90 points are the slow lane; they are staff's, so they last their twelve hours and not one."""
    told = Recent(NOW, (mark("abusive", 700),), verstat="passed-A")
    assert judge(told, IOWA).decision == "slow"


@pytest.mark.parametrize("facts", [{}, {"is_on_file": True}, {"is_on_file": True, "verstat": "passed-A"}])
@pytest.mark.parametrize("state", ["calm", "watch", "attack"])
def test_a_block_of_staff_is_final_and_ends(facts: dict[str, Any], state: Any) -> None:
    """Whoever calls, whatever the state; the second it is over the number is as good as any other."""
    blocked = marked(blocked_until=NOW + timedelta(seconds=1), conditions=Conditions(state=state), **facts)
    assert ("reject", ("RV-05",)) == (judge(blocked, IOWA).decision, judge(blocked, IOWA).reasons)
    assert judge(replace(blocked, blocked_until=NOW), IOWA).decision == "admit"


@pytest.mark.parametrize(
    ("facts", "kinds", "expected"),
    [
        ({"is_on_file": True, "verstat": "passed-A"}, (), ("chair-attested", ("LN-01",), ())),
        ({"is_on_file": True, "verstat": "none"}, (), ("chair", ("LN-01",), ())),
        ({"is_on_file": True, "verstat": "passed-B"}, (), ("chair", ("LN-01",), ())),
        ({"verstat": "passed-A"}, ("signed-in",), ("chair", ("LN-05",), ())),
        ({"verstat": "passed-A"}, (), ("unknown", (), ())),
        ({"is_on_file": True}, ("rang",) * 5, ("chair", ("LN-01",), ("redialling",))),
        ({"is_on_file": True, "live": 1}, (), ("chair", ("LN-01",), ("two-live-calls",))),
        ({"is_withheld": True, "live": 9}, (), ("unknown", ("AB-07",), ())),
    ],
)
def test_lanes_of_those_let_in(facts: dict[str, Any], kinds: tuple[MarkKind, ...], expected: tuple[Any, ...]) -> None:
    """On file and vouched for, on file or signed in tonight, anybody else; flags are for staff and change nothing."""
    verdict = judge(marked(*kinds, **facts), IOWA)
    assert ("admit", *expected) == (verdict.decision, verdict.lane, verdict.reasons, verdict.flags)


@pytest.mark.parametrize("known", [{"is_on_file": True}, {"kinds": ("signed-in",)}])
def test_a_known_number_that_may_be_forged_meets_a_challenge_at_most(known: dict[str, Any]) -> None:
    """It has no lane of its own and staff are told; but it may be the chair, so it is neither slowed nor rejected."""
    facts = {"is_on_file": known.get("is_on_file", False), "verstat": "failed-B", "conditions": ATTACK}
    verdict = judge(marked(*known.get("kinds", ()), *WORSE, **facts), IOWA)
    assert ("challenge", "challenged", ("possible-spoof",)) == (verdict.decision, verdict.lane, verdict.flags)
    assert verdict.reasons[0] == "LN-02"


@pytest.mark.parametrize(("is_on_file", "kinds", "rule"), [(True, (), "LN-01"), (False, ("signed-in",), "LN-05")])
@pytest.mark.parametrize(
    ("conditions", "closed"),
    [
        (Conditions(live_calls=81, capacity=100), "GR-08"),
        (Conditions(live_calls=60, live_strangers=60, capacity=100), "GR-08"),
        (Conditions(is_flooded=True), "GR-08"),
        (Conditions(threat="registered-only"), "GR-06"),
    ],
)
def test_a_known_number_that_may_be_forged_has_no_room_kept(
    is_on_file: bool, kinds: tuple[MarkKind, ...], rule: str, conditions: Conditions, closed: str
) -> None:
    """Whoever has a list of the chairs' numbers cannot fill the room kept for chairs by forging them."""
    known = marked(*kinds, is_on_file=is_on_file, conditions=conditions)
    assert ("admit", (rule,)) == (judge(known, IOWA).decision, judge(known, IOWA).reasons)
    forged = judge(replace(known, verstat="failed"), IOWA)
    assert ("message", ("LN-02", closed)) == (forged.decision, forged.reasons[:2])


def test_a_known_number_that_may_be_forged_is_challenged_where_strangers_are() -> None:
    """On a guarded number too, until it has passed; there a chair's own phone notices nothing."""
    forged = marked(is_on_file=True, verstat="failed", conditions=Conditions(threat="guarded"))
    unweighted = policy({"features.AB-08.on": False})
    assert ("challenge", ("LN-02", "GR-06")) == (judge(forged, unweighted).decision, judge(forged, unweighted).reasons)
    passed = replace(forged, marks=marked("challenge-passed").marks)
    assert judge(passed, unweighted).decision == "admit"


def test_staff_may_slow_and_refuse_a_number_that_signed_in() -> None:
    """Their verdict goes by the ladder as for anybody, until it expires or they take it back; one on file may have been
    forged by whoever they judged, so it takes a block."""
    abusive = marked("signed-in", "abusive", conditions=WATCH)
    assert judge(abusive, IOWA).decision == "reject"
    assert judge(replace(abusive, conditions=Conditions()), IOWA).decision == "slow"
    taken_back = (*abusive.marks, mark("genuine", 0))
    assert judge(replace(abusive, marks=taken_back), IOWA).reasons == ("LN-05",)
    assert judge(replace(abusive, is_on_file=True), IOWA).decision == "admit"


@pytest.mark.parametrize(
    ("threat", "facts", "kinds", "expected"),
    [
        ("guarded", {}, (), ("challenge", ("GR-06",))),
        ("guarded", {}, ("challenge-passed",), ("admit", ())),
        ("guarded", {"is_on_file": True}, (), ("admit", ("LN-01",))),
        ("guarded", {}, tuple(PRANKS), ("slow", ("AB-01", "AB-03"))),
        ("registered-only", {}, (), ("message", ("GR-06",))),
        ("registered-only", {"verstat": "passed-A"}, (), ("message", ("GR-06",))),
        ("registered-only", {"is_on_file": True}, (), ("admit", ("LN-01",))),
        ("registered-only", {}, ("signed-in",), ("admit", ("LN-05",))),
    ],
)
def test_threat_of_the_number_called(threat: Any, facts: dict[str, Any], kinds: Any, expected: tuple[Any, ...]) -> None:
    """Guarded challenges the unknown, registered-only promises them a call-back; the known notice nothing."""
    verdict = judge(marked(*kinds, **facts, conditions=Conditions(threat=threat)), IOWA)
    assert expected == (verdict.decision, verdict.reasons)


@pytest.mark.parametrize(
    ("conditions", "stranger", "vouched_for"),
    [
        (Conditions(live_calls=80, capacity=100), "admit", "admit"),
        (Conditions(live_calls=81, capacity=100), "message", "admit"),
        (Conditions(live_calls=59, live_strangers=59, capacity=100), "admit", "admit"),
        (Conditions(live_calls=60, live_strangers=60, capacity=100), "message", "message"),
        (Conditions(live_calls=999, live_strangers=999, capacity=0), "admit", "admit"),
        (Conditions(is_flooded=True), "message", "admit"),
    ],
)
def test_room_is_kept_for_the_known(conditions: Conditions, stranger: str, vouched_for: str) -> None:
    """Past 80 per cent the unknown need the carrier's word; 40 per cent are never theirs; chairs always come in."""
    assert stranger == judge(marked(conditions=conditions), IOWA).decision
    assert vouched_for == judge(marked(verstat="passed-A", conditions=conditions), IOWA).decision
    assert judge(marked(*WORSE, is_on_file=True, conditions=conditions), IOWA).decision == "admit"


def test_a_storm_of_redials_bans_nobody() -> None:
    """After an outage of ours every chair calls again and again, from whatever phone: nobody is even challenged."""
    for facts in ({}, {"is_withheld": True}, {"area": "212"}, {"is_on_file": True}):
        for state in (Conditions(), WATCH):
            storm = marked(*["rang"] * 60, is_hurried=True, conditions=state, **facts)
            assert judge(storm, IOWA).decision == "admit"


@pytest.mark.parametrize(("earlier", "expected"), [((), "slow"), (("CA2",), "slow"), (("CA2", "CA3"), "reject")])
def test_a_phone_that_sends_no_keys_is_rejected_after_three_bad_calls_at_the_earliest(
    earlier: tuple[str, ...], expected: str
) -> None:
    """Whatever the score: a forged number, say, that missed its challenge. A code or PIN keyed wrong tells it apart."""
    silent = [mark(kind, call=call) for call in ("CA1", *earlier) for kind in sorted(KEYLESS - {"hung-up"})]
    phone = Recent(NOW, tuple(silent), verstat="failed", conditions=WATCH)
    assert expected == judge(phone, IOWA).decision
    assert judge(replace(phone, marks=(*phone.marks, mark("unknown-code"))), IOWA).decision == "reject"


@pytest.mark.parametrize("kind", ["hung-up", "dead-air", "challenge-failed"])
@pytest.mark.parametrize("conditions", [Conditions(), WATCH, ATTACK])
def test_a_poor_connection_never_slows(kind: MarkKind, conditions: Conditions) -> None:
    """Cut off, unheard or misheard, however often and however much in a hurry: one extra prompt, in any state."""
    assert judge(marked(*[kind] * 30, is_hurried=True, conditions=conditions), IOWA).decision == "challenge"


@pytest.mark.parametrize(("busy", "expected"), [(None, False), (0, True), (79, True), (80, False), (100, False)])
def test_slowed_callers_wait_only_for_staff_with_time(busy: int | None, expected: bool) -> None:
    """Nobody on duty has no time either."""
    assert expected == is_staff_free(Conditions(staff_busy=busy), IOWA)


@pytest.mark.parametrize("verstat", sorted({*VERSTAT.values(), "none", "", "Passed-A", "passed-A-forged"}))
def test_a_number_not_on_file_has_no_lane_whatever_the_carrier_says(verstat: str) -> None:
    """Attestation proves the number, not the person: an attested stranger is a stranger."""
    assert lane(is_on_file=False, verstat=verstat) == "unknown"


@pytest.mark.parametrize(
    ("verstat", "expected"),
    [("passed-A", "chair-attested")]
    + [(word, "chair") for word in ("passed-B", "passed-C", "none", "", "passed-A-forged")]
    + [(word, "unknown") for word in ("failed", "failed-A", "failed-B", "failed-C")],
)
def test_a_number_on_file_goes_by_the_word_of_the_carrier(verstat: str, expected: str) -> None:
    """Only a passed A is vouched for, matched whole; a failed check may be a forged number."""
    assert expected == lane(is_on_file=True, verstat=verstat)
