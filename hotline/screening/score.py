"""The points of a ringing call by feature, worked out anew from its marks each time: nothing is added up or expires.

Features and their defaults are those of the policy file; a window slides, and an old mark is as good as none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta

from hotline.screening.policy_file import Policy, Weights
from hotline.screening.signals import Mark, MarkKind, Recent

BAD: frozenset[MarkKind] = frozenset(
    {"hung-up", "dead-air", "unknown-code", "wrong-pin", "guess", "honeypot", "challenge-failed", "abusive"}
)
"""Marks that count against a number."""

OWN_TERM = frozenset({"AB-07", "AB-08", "AB-09", "AB-10", "AB-11", "AB-15", "AB-16"})
"""Features that are the call's own or run for a term of their own; the others fade with the number's last bad mark."""


def points_of(recent: Recent, policy: Policy) -> dict[str, int]:
    """The points by feature code, those without any left out. They sum up to the score, which may be below 0."""
    seen = replace(
        recent, marks=tuple(mark for mark in recent.marks if mark.kind not in BAD) + tuple(bad_marks(recent))
    )
    found = {code: rule(seen, policy.features[code]) for code, rule in RULES.items() if code in policy.features}
    if recent.area and policy.near and recent.area not in policy.near and "AB-09" in policy.features:
        found["AB-09"] = policy.features["AB-09"]["points"]
    return {code: points for code, points in found.items() if points}


def lasting(recent: Recent, points: Mapping[str, int]) -> int:
    """What of the points does not fade with the number's last bad mark."""
    is_decoy = recent.is_decoy_line
    return sum(worth for code, worth in points.items() if code in OWN_TERM or (code == "AB-18" and is_decoy))


def bad_marks(recent: Recent) -> list[Mark]:
    """What counts against the number: not what came before staff found it genuine, nor PINs put right since (AU-07)."""
    cleared = max((mark.at for mark in recent.marks if mark.kind == "genuine"), default=None)
    signed_in = {mark.precinct: mark.at for mark in sorted(_of(recent, "signed-in"), key=lambda mark: mark.at)}

    def stands(mark: Mark) -> bool:
        if mark.kind not in BAD or (cleared is not None and mark.at <= cleared):
            return False
        return mark.kind != "wrong-pin" or mark.precinct not in signed_in or mark.at > signed_in[mark.precinct]

    return [mark for mark in recent.marks if stands(mark)]


def is_redialling(recent: Recent, weights: Weights) -> bool:
    """Whether the number calls again and again (AB-15), this call counted with its earlier ones."""
    return recent.is_hurried or 1 + len(_young(recent, _of(recent, "rang"), weights)) >= weights["calls"]


def keeps_losing(recent: Recent, weights: Weights) -> bool:
    """Whether a number called again and again (AB-15), its call that has just ended included, and never signed in."""
    rang = {mark.call for mark in _young(recent, _of(recent, "rang"), weights)}
    return len(rang) >= weights["calls"] and not _young(recent, _of(recent, "signed-in"), weights)


def _of(recent: Recent, kind: MarkKind) -> list[Mark]:
    return [mark for mark in recent.marks if mark.kind == kind]


def _young(recent: Recent, marks: list[Mark], weights: Weights) -> list[Mark]:
    """Those within the window. A mark of the future is one of now: clocks of two machines differ."""
    window = timedelta(minutes=weights["minutes"])
    return [mark for mark in marks if recent.at - mark.at <= window]


def _bad(recent: Recent, weights: Weights, *kinds: MarkKind) -> list[Mark]:
    return _young(recent, [mark for mark in recent.marks if mark.kind in kinds], weights)


def _each(kind: MarkKind) -> Callable[[Recent, Weights], int]:
    """So many points for each mark, up to the cap where there is one."""

    def points(recent: Recent, weights: Weights) -> int:
        worth = weights["points"] * len(_bad(recent, weights, kind))
        return min(worth, weights.get("cap", worth))

    return points


def _once(kind: MarkKind) -> Callable[[Recent, Weights], int]:
    """The points once there are `at` marks, 1 unless the policy says otherwise; more add nothing."""

    def points(recent: Recent, weights: Weights) -> int:
        return weights["points"] if len(_bad(recent, weights, kind)) >= weights.get("at", 1) else 0

    return points


def _wrong_pins(recent: Recent, weights: Weights) -> int:
    marks = _bad(recent, weights, "wrong-pin")
    strikes = sum(count >= weights["strike_at"] for count in Counter(mark.call for mark in marks).values())
    return weights["points"] * len(marks) + weights["strike"] * strikes


def _many_precincts(recent: Recent, weights: Weights) -> int:
    """Codes tried that never came to a sign-in from this number; those that did are a county chair's (AU-15)."""
    succeeded = {mark.precinct for mark in _of(recent, "signed-in")}
    tried = [
        mark
        for mark in _bad(recent, weights, "wrong-pin", "unknown-code")
        if mark.precinct and mark.precinct not in succeeded
    ]
    in_call: dict[str, set[str]] = {}
    for mark in tried:
        in_call.setdefault(mark.call, set()).add(mark.precinct)
    is_many_in_call = any(len(codes) >= weights["in_call"] for codes in in_call.values())
    is_many = len({mark.precinct for mark in tried}) >= weights["in_window"]
    return max(weights["more"] if is_many else 0, weights["points"] if is_many_in_call else 0)


def _withheld(recent: Recent, weights: Weights) -> int:
    return weights["points"] if recent.is_withheld else 0


def _attestation(recent: Recent, weights: Weights) -> int:
    """The carrier's word, matched whole: a spelling we do not know is neither a pass nor a failure."""
    failed = dict.fromkeys(("failed", "failed-A", "failed-B", "failed-C"), weights["failed"])
    return {**failed, "passed-C": weights["passed_c"], "passed-A": -weights["passed_a"]}.get(recent.verstat, 0)


def _outside_hours(recent: Recent, weights: Weights) -> int:
    return weights["points"] if recent.is_outside_hours else 0


def _neighbours(recent: Recent, weights: Weights) -> int:
    is_burst = recent.neighbours.strikes >= weights["strikes"] and not recent.neighbours.successes
    return weights["points"] if is_burst and not recent.is_known else 0


def _redials(recent: Recent, weights: Weights) -> int:
    return weights["points"] if is_redialling(recent, weights) and not recent.is_known else 0


def _decoy(recent: Recent, weights: Weights) -> int:
    return weights["points"] if recent.is_decoy_line else _once("honeypot")(recent, weights)


def _challenges(recent: Recent, weights: Weights) -> int:
    failed = min(weights["failed"] * len(_bad(recent, weights, "challenge-failed")), weights["cap"])
    return failed - (weights["passed"] if _young(recent, _of(recent, "challenge-passed"), weights) else 0)


RULES: Mapping[str, Callable[[Recent, Weights], int]] = {
    "AB-01": _each("hung-up"),
    "AB-02": _each("dead-air"),
    "AB-03": _each("unknown-code"),
    "AB-04": _wrong_pins,
    "AB-05": _many_precincts,
    "AB-06": _once("guess"),
    "AB-07": _withheld,
    "AB-08": _attestation,
    "AB-10": _outside_hours,
    "AB-11": _neighbours,
    "AB-15": _redials,
    "AB-16": _once("abusive"),
    "AB-18": _decoy,
    "GR-03": _challenges,
}
"""How each feature counts, all but AB-09, which needs the policy's area codes. AB-14 has nothing to count."""
