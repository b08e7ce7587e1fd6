"""A verdict in one sentence for staff and for the event (AB-19): the decision, the score, its top three reasons.

No telephone number stands in it, so it may be shown and kept anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hotline.screening.policy_file import Policy, Weights
from hotline.screening.verdict import Decision, Verdict

_DECISIONS: Mapping[Decision, str] = {
    "admit": "Let in",
    "challenge": "Challenged",
    "slow": "Slowed",
    "message": "Told of a call-back",
    "reject": "Rejected",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

RULES: Mapping[str, str] = {
    "RV-05": "blocked by staff",
    "LN-01": "a number on file",
    "LN-05": "a number that signed in tonight",
    "LN-02": "a known number that may be forged",
    "GR-01": "nobody is rejected while the event is calm",
    "GR-06": "the number called is guarded",
    "GR-08": "the line has no room for unknown numbers",
}
"""What is said of each rule that decides beside the score."""


def sentence(verdict: Verdict, policy: Policy) -> str:
    """The verdict in words. `policy` is the one that judged, as it stood for the number called (`Policy.at`)."""
    told = [_reason(code, verdict.parts.get(code, 0), policy.features.get(code, {})) for code in verdict.reasons[:3]]
    head = f"{_DECISIONS[verdict.decision]} (score {verdict.score})"
    return f"{head}: {', '.join(told)}." if told else f"{head}."


def _reason(code: str, points: int, weights: Weights) -> str:
    if code in RULES:
        return RULES[code]
    return FEATURES[code](points, weights) if code in FEATURES else code


def _some(one: str, many: str) -> Callable[[int, Weights], str]:
    """ "two hang-ups within an hour": how many, told by the points; at a cap there were that many or more."""

    def told(points: int, weights: Weights) -> str:
        worth = weights.get("points", 0)
        count = -(-points // worth) if worth else 0
        noun = one if count == 1 else many
        if not count:
            return f"{noun}{_within(weights)}"
        is_capped = points == weights.get("cap")
        return f"{'at least ' if is_capped else ''}{_number(count)} {noun}{_within(weights)}"

    return told


def _always(words: str) -> Callable[[int, Weights], str]:
    return lambda _points, _weights: words


def _lately(words: str) -> Callable[[int, Weights], str]:
    return lambda _points, weights: words + _within(weights)


def _many_precincts(points: int, weights: Weights) -> str:
    is_of_window = points == weights.get("more")
    count = weights.get("in_window" if is_of_window else "in_call", 0)
    return (
        f"{_number(count)} precincts or more tried without success{_within(weights) if is_of_window else ' in a call'}"
    )


def _carrier(points: int, weights: Weights) -> str:
    is_failed = points == weights.get("failed")
    return "the carrier's check of the number failed" if is_failed else "a number the carrier cannot trace"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _within(weights: Weights) -> str:
    minutes = weights.get("minutes", 0)
    if not minutes:
        return ""
    if minutes == 60:
        return " within an hour"
    return f" within {_number(minutes // 60)} hours" if minutes % 60 == 0 else f" within {_number(minutes)} minutes"


FEATURES: Mapping[str, Callable[[int, Weights], str]] = {
    "AB-01": _some("hang-up", "hang-ups"),
    "AB-02": _some("silence", "silences"),
    "AB-03": _some("made-up precinct code", "made-up precinct codes"),
    "AB-04": _lately("wrong PINs"),
    "AB-05": _many_precincts,
    "AB-06": _lately("PINs in a pattern of guessing"),
    "AB-07": _always("a withheld number"),
    "AB-08": _carrier,
    "AB-09": _always("an area code from far away"),
    "AB-10": _always("outside the hours of the event"),
    "AB-11": _lately("a burst of bad calls from neighbouring numbers"),
    "AB-15": _lately("calling again and again"),
    "AB-16": _lately("found abusive by staff"),
    "AB-18": _always("a code or number printed nowhere"),
    "GR-03": _lately("failed challenges"),
}
"""What is said of each feature, by its points and weights."""
