"""Judging a sign-in: an attempt is written down before its PIN is looked at, and settled before its verdict is spoken.

Unknown code, wrong PIN and a guess past the limit take the same steps and the same work.
"""

from __future__ import annotations

from hotline.dialog.facts import Facts, PinCheck
from hotline.screening.policy import pin_gate
from hotline.services.line import Line
from hotline.store.counters import Attempt


def judge(line: Line, sid: str, turn: int, check: PinCheck, on_file: tuple[str, ...]) -> Facts:
    """What the machine is told of this PIN. Slow (one Argon2id) and to be called outside any transaction.

    `on_file` are the precincts the caller's number is registered for. An accepted sign-in comes without the precinct's
    standing: that is read in the transaction that records it.
    """
    attempt = Attempt(sid, turn, check.precinct, check.precinct in on_file)
    reserved = line.counters.reserve(attempt, pin_gate)
    if reserved.gate != "evaluate":
        line.pins.burn()
        return Facts(sign_in="person" if reserved.gate == "person" else "refused", refusal="limit")
    is_right = line.pins.check(check.precinct, check.pin)
    line.counters.settle(attempt, is_accepted=is_right)
    if is_right:
        return Facts(sign_in="accepted")
    is_known = check.precinct in line.contest.precincts
    return Facts(sign_in="refused", refusal="wrong-pin" if is_known else "unknown-code")
