"""Who gets through, and how: pure judgements on counts. A number or its attestation orders callers, it proves nobody.

Standing rules. A number on file, or one that signed in tonight, is let in whatever its score: only staff, by a block,
can refuse it. If the carrier's check of it failed it may be forged, and has none of a chair's rights: neither to its
precinct nor to the room kept for chairs. But it meets no more than a challenge, or with no room a message, and on file
it is called back when it does not get in. What staff say of a call is said of whoever used the number: it can slow or
refuse one that signed in tonight, but not one on file, which anybody may have forged.
What other callers do to a precinct never stops its chair numbers: each kind of number has a ceiling of its own.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from hotline.screening.policy_file import Policy
from hotline.screening.score import bad_marks, is_redialling, lasting, points_of
from hotline.screening.sections import Ladder, PinCeilings
from hotline.screening.signals import Conditions, Mark, MarkKind, PinAttempts, Recent
from hotline.screening.verdict import Decision, Lane, Verdict

Gate = Literal["evaluate", "challenge", "limit", "person"]
"""Judge the PIN; first a challenge; refuse it unjudged in the same words as a wrong one; or hand over to a person."""

Step = Literal["admit", "challenge", "slow", "reject"]

KEYLESS: frozenset[MarkKind] = frozenset({"hung-up", "dead-air", "challenge-failed"})
"""Marks that a telephone earns whose keys the line does not hear."""

BLOCKED = "RV-05"
"""The reason code of a block staff set."""
FORGED = "possible-spoof"
"""The flag of a known number that may be forged: it gets none of a chair's rights (LN-02)."""

_CEILINGS = PinCeilings()
_LANES: dict[Decision, Lane] = {"challenge": "challenged", "slow": "slow", "reject": "slow"}


def judge(recent: Recent, policy: Policy) -> Verdict:
    """How a ringing call is met. `policy` is that of the number called: see `Policy.at`. Every `recent` has one."""
    points = points_of(recent, policy)
    decision, rules = _decide(recent, policy, points)
    return Verdict(
        decision=decision,
        lane=_LANES.get(decision, _own_lane(recent)),
        score=sum(points.values()),
        parts=points,
        reasons=(*rules, *sorted((code for code in points if points[code] > 0), key=lambda code: -points[code])),
        policy=policy.version,
        flags=_flags(recent, policy),
    )


def pin_gate(attempts: PinAttempts, ceilings: PinCeilings = _CEILINGS) -> Gate:
    """Whether one more PIN is judged, after the attempts counted so far.

    A call's third wrong sign-in, a number's tenth in a day and a precinct's twentieth from its own chair numbers were
    the last: then a person. After a number's fifth in 15 minutes a challenge comes first. The tenth in a row from other
    numbers ends the judging of PINs from such numbers on that precinct, which nobody is told; so does too much guessing
    over all precincts, or too many held reports on a contested one.
    """
    if attempts.in_call >= ceilings.in_call or attempts.by_number >= ceilings.by_number:
        return "person"
    if attempts.is_chair_number and attempts.on_precinct >= ceilings.chairs:
        return "person"
    if attempts.by_number_lately >= ceilings.challenge_at and not attempts.has_passed:
        return "challenge"
    if attempts.is_chair_number:
        return "evaluate"
    is_over = attempts.on_precinct >= ceilings.strangers or attempts.guessing == "call-back" or attempts.is_full_of_held
    return "limit" if is_over else "evaluate"


def is_held(attempts: PinAttempts) -> bool:
    """Whether the report of a caller whose PIN is right is held (AU-09): from an unknown number, while many guess."""
    return attempts.is_contested and not attempts.is_chair_number


def lane(*, is_on_file: bool, verstat: str) -> Lane:
    """The lane of a new call. `verstat` is the carrier's word: "passed-A", "failed-B", "failed", "none" …

    Only a passed A is vouched for. A number on file whose check failed may be forged: it gets no lane of its own.
    """
    if not is_on_file or verstat.startswith("failed"):
        return "unknown"
    return "chair-attested" if verstat == "passed-A" else "chair"


def is_staff_free(conditions: Conditions, policy: Policy) -> bool:
    """Whether a slowed caller may wait for staff (GR-04); else they are told of a call-back."""
    return conditions.staff_busy is not None and conditions.staff_busy < policy.staff.busy


def _own_lane(recent: Recent) -> Lane:
    """LN-01, LN-02, LN-05: a number that signed in tonight is a chair's, though not one on file."""
    if recent.is_on_file:
        return lane(is_on_file=True, verstat=recent.verstat)
    return "chair" if recent.is_known and not _may_be_forged(recent) else "unknown"


def _may_be_forged(recent: Recent) -> bool:
    return recent.is_known and recent.verstat.startswith("failed")


def _decide(recent: Recent, policy: Policy, points: dict[str, int]) -> tuple[Decision, tuple[str, ...]]:
    """The decision and the rules, other than features, that made it."""
    if recent.blocked_until is not None and recent.blocked_until > recent.at:
        return "reject", (BLOCKED,)
    is_spared = recent.is_known and (recent.is_on_file or points.get("AB-16", 0) <= 0)
    has_rights = recent.is_known and not _may_be_forged(recent)
    if is_spared and has_rights:
        return "admit", ("LN-01" if recent.is_on_file else "LN-05",)
    step, forged = _step(recent, policy, points), ("LN-02",) if is_spared else ()
    softened: tuple[str, ...] = ()
    if is_spared:
        step = "admit" if step == "admit" else "challenge"
    elif step == "reject":
        if policy.ladder[recent.conditions.state].rejects:
            return "reject", ()
        step, softened = "slow", ("GR-01",)
    if not has_rights and (closed := _closed(recent, policy)):
        return "message", (*forged, closed)
    if step == "admit" and not has_rights and recent.conditions.threat == "guarded" and points.get("GR-03", 0) >= 0:
        return "challenge", (*forged, "GR-06")
    return step, (*forged, *softened)


def _step(recent: Recent, policy: Policy, points: dict[str, int]) -> Step:
    """The step of the ladder: its score is reached, and by what lasts or with a bad mark not too long ago (GR-01)."""
    ladder, score, stays = policy.ladder[recent.conditions.state], sum(points.values()), lasting(recent, points)
    bad = bad_marks(recent)
    newest = max((mark.at for mark in bad), default=None)
    steps: tuple[tuple[Step, int, int], ...] = (
        ("reject", ladder.reject, policy.hold.reject),
        ("slow", ladder.slow, policy.hold.slow),
        ("challenge", ladder.challenge, policy.hold.challenge),
    )
    for step, threshold, minutes in steps:
        is_fresh = newest is not None and recent.at - newest <= timedelta(minutes=minutes)
        is_reached = score >= threshold and (stays >= threshold or is_fresh)
        if is_reached and (step != "reject" or recent.is_decoy_line or _shows(bad, ladder)):
            return step
    return "admit"


def _shows(bad: list[Mark], ladder: Ladder) -> bool:
    """Whether it was shown that this is no chair with a bad line, or with a phone that sends no keys: by what was keyed
    or what staff said, or by the number of calls.
    """
    return any(mark.kind not in KEYLESS for mark in bad) or len({mark.call for mark in bad}) >= ladder.keyless


def _closed(recent: Recent, policy: Policy) -> str:
    """The rule that keeps unknown numbers out at present, "" for none: the number called, or the line's room."""
    now, room = recent.conditions, policy.admission
    if now.threat == "registered-only":
        return "GR-06"
    is_full = now.capacity > 0 and 100 * now.live_calls > room.full * now.capacity
    has_no_share = now.capacity > 0 and 100 * now.live_strangers >= room.strangers * now.capacity
    is_vouched_for = recent.verstat == "passed-A"
    return "GR-08" if has_no_share or ((is_full or now.is_flooded) and not is_vouched_for) else ""


def _flags(recent: Recent, policy: Policy) -> tuple[str, ...]:
    redials = policy.features.get("AB-15")
    precincts = {mark.precinct for mark in recent.marks if mark.kind == "signed-in"}
    flags = {
        FORGED: _may_be_forged(recent),
        "two-live-calls": recent.live > 0 and not recent.is_withheld,
        "redialling": recent.is_known and redials is not None and is_redialling(recent, redials),
        "many-precincts": not recent.is_on_file and len(precincts) > policy.pins.most_precincts,
    }
    return tuple(flag for flag, is_set in flags.items() if is_set)
