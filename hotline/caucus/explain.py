"""The working on paper: how a precinct's delegates divide, step by step, as a chair's helper would check it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from hotline.caucus.apportion import HALF, ONE, Division, Move, divide
from hotline.caucus.contest import Contest
from hotline.caucus.viability import threshold, viable
from hotline.caucus.worksheet import Tallies


@dataclass(frozen=True)
class Working:
    """The answer and the way to it.

    `viable` lists groups in worksheet order; `raw` is each viable group's share to 4 decimals, "1.8462", empty for a
    single delegate; `outcomes` is every legal split, groups without a delegate left out; `steps` are sentences.
    """

    threshold: int
    viable: tuple[str, ...]
    raw: Mapping[str, str]
    outcomes: tuple[Tallies, ...]
    steps: tuple[str, ...]


def explain(contest: Contest, delegates: int, headcount: int, final: Tallies) -> Working:
    """How `delegates` divide for a headcount and a final alignment, under the contest's rules."""
    final = {key: final[key] for key in contest.keys if key in final}
    smallest = threshold(contest.rules, delegates, headcount)
    division = divide(contest.rules, delegates, headcount, final)
    raw = division.raw if division else {}
    outcomes = division.outcomes() if division else ()
    return Working(
        threshold=smallest,
        viable=tuple(viable(final, smallest)),
        raw={key: four_decimals(raw[key]) for key in contest.keys if key in raw},
        outcomes=tuple({key: split[key] for key in contest.keys if key in split} for split in outcomes),
        steps=tuple(_steps(contest, delegates, headcount, final, division)),
    )


def four_decimals(ten_thousandths: int) -> str:
    """Ten-thousandths as a decimal: 18462 is "1.8462", -18462 is "-1.8462"."""
    whole, rest = divmod(abs(ten_thousandths), ONE)
    return f"{'-' if ten_thousandths < 0 else ''}{whole}.{rest:04d}"


def _steps(
    contest: Contest, delegates: int, headcount: int, final: Tallies, division: Division | None
) -> Iterator[str]:
    if delegates == 1:
        yield "One delegate: the caucus elects it as a whole, so no group has to reach a threshold."
    else:
        yield _threshold(contest, delegates, headcount)
        yield _viability(contest, delegates, headcount, final)
    if division is None:
        yield "Nothing is allocated."
        return
    for group in _ordered(contest, division.raw):
        yield _rounding(contest, group, final[group], delegates, headcount, division)
    if division.rounded:
        yield _sum(division.rounded, delegates)
    counts = Counter(division.rounded)
    for move in division.moves:
        yield from _move(contest, move, counts)
    yield _result(contest, delegates, division)


def _threshold(contest: Contest, delegates: int, headcount: int) -> str:
    thresholds = contest.rules.thresholds
    share = thresholds[min(max(delegates, 1), max(thresholds))]
    exactly = Fraction(headcount) * share
    product = f"{headcount} x {share.numerator} / {share.denominator}"
    rounded = "" if exactly.denominator == 1 else ", rounded up"
    return f"Threshold: {product} = {_plain(exactly)}{rounded}: {threshold(contest.rules, delegates, headcount)}."


def _viability(contest: Contest, delegates: int, headcount: int, final: Tallies) -> str:
    reaching = viable(final, threshold(contest.rules, delegates, headcount))
    short = {group: size for group, size in final.items() if size and group not in reaching}
    said = f"Viable: {_listed(contest, reaching) or 'no group'}."
    return said + (f" Not viable: {_listed(contest, short)}." if short else "")


def _rounding(contest: Contest, group: str, size: int, delegates: int, headcount: int, division: Division) -> str:
    raw, rounded = division.raw[group], division.rounded[group]
    least = " (at least 1)" if raw < HALF else ""
    name = _name(contest, group)
    return f"{name}: {size} x {delegates} / {headcount} = {four_decimals(raw)}, rounded to {rounded}{least}."


def _sum(rounded: Tallies, delegates: int) -> str:
    total = sum(rounded.values())
    if total == delegates:
        return f"Sum {total}: as many as there are delegates."
    gap = abs(total - delegates)
    return f"Sum {total}: {gap} {'more' if total > delegates else 'fewer'} than the {delegates} delegates."


def _move(contest: Contest, move: Move, counts: Counter[str]) -> Iterator[str]:
    """One move in words; `counts` is carried along so that each step shows where it leads."""
    names = _names(contest, move.groups)
    if move.times > 1:
        yield f"{move.times} rounds of {'+' if move.change > 0 else '-'}1 for each of {names}."
    elif move.seats < len(move.groups):
        yield _tie(contest, move, names)
        return
    else:
        for group in _ordered(contest, move.groups):
            yield _step(contest, move, group, counts[group])
    for group in move.groups:
        counts[group] += move.change * move.times


def _step(contest: Contest, move: Move, group: str, had: int) -> str:
    name, now, way = _name(contest, group), had + move.change, four_decimals(move.distance)
    match move.why:
        case "plurality":
            return f"{name} is the largest group with {move.distance}."
        case "closest":
            return f"Closest to its next delegate: {name}, {had + 1} - raw = {way}: +1, now {now}."
        case "furthest":
            return f"Furthest from its next delegate: {name}, {had + 1} - raw = {way}: -1, now {now}."
        case "smallest-drops-out":
            return f"More viable groups than delegates: {name} with {move.distance} is the smallest and drops out."


def _tie(contest: Contest, move: Move, names: str) -> str:
    what = f"{move.seats} of them"
    match move.why:
        case "plurality":
            told = f"{names} are equally large with {move.distance}; {what} wins the delegate"
        case "closest":
            told = f"{names} are equally close to their next delegate ({four_decimals(move.distance)}); +1 for {what}"
        case "furthest":
            told = f"{names} are equally far from their next delegate ({four_decimals(move.distance)}); -1 for {what}"
        case "smallest-drops-out":
            told = f"{names} are equally small with {move.distance}; {what} drops out"
    return f"{told}, by {contest.rules.chance}."


def _result(contest: Contest, delegates: int, division: Division) -> str:
    if division.ways > 1:
        return f"{division.ways} outcomes are legal."
    total = sum(division.certain.values())
    added = f", {total - delegates} added so that each viable group keeps one" if total > delegates else ""
    return f"Delegates: {_listed(contest, division.example())}{added}."


def _listed(contest: Contest, counts: Tallies) -> str:
    return ", ".join(f"{_name(contest, group)} {counts[group]}" for group in _ordered(contest, counts))


def _names(contest: Contest, groups: tuple[str, ...]) -> str:
    names = [_name(contest, group) for group in _ordered(contest, groups)]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _name(contest: Contest, group: str) -> str:
    return contest.by_key[group].spoken


def _ordered(contest: Contest, groups: Mapping[str, int] | tuple[str, ...]) -> list[str]:
    return [key for key in contest.keys if key in groups]


def _plain(number: Fraction) -> str:
    """A number to at most 2 decimals, for reading: 15.6, 1.95, 1.67."""
    hundredths = (200 * number.numerator + number.denominator) // (2 * number.denominator)
    return f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
