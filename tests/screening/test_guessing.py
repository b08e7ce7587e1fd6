"""Guessed PINs are told from mistyped ones: the look, the step, the spray; seeds are fixed, so figures repeat."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from hotline.clock import Source, seeded
from hotline.screening.guessing import FAVOURITES, STRIDES, Tried, looks_guessed, match, steps
from hotline.store.pins import is_guessable

Guess = tuple[str, str]
DIGITS = 8
TOP = sorted(FAVOURITES)


def _fingerprint(pin: str) -> str:
    return hashlib.sha256(b"for tests" + pin.encode()).hexdigest()


def _taking_part(guesses: list[Guess]) -> int:
    """How many of one number's refused PINs take part in a pattern: those that match, and those they follow."""
    tried: list[Tried] = []
    marked: set[int] = set()
    for place, (precinct, pin) in enumerate(guesses):
        if found := match(precinct, pin, tried, _fingerprint):
            marked |= {place, *found.follows}
        tried.append(Tried(precinct, _fingerprint(pin)))
    return len(marked)


def _pin(draw: Source) -> str:
    return f"{draw.randrange(10**DIGITS):0{DIGITS}}"


def _true_pin(draw: Source) -> str:
    """As packets have them: none that people would try first."""
    return next(pin for pin in iter(lambda: _pin(draw), "") if not is_guessable(pin))


def _precincts(draw: Source) -> list[str]:
    return draw.sample([f"{code:05}" for code in range(100)], 3)


def _consecutive(draw: Source) -> list[str]:
    start, stride = draw.randrange(10**DIGITS), draw.choice((1, -1)) * draw.choice(STRIDES)
    return [f"{(start + place * stride) % 10**DIGITS:0{DIGITS}}" for place in range(3)]


def _of_one_digit(draw: Source) -> list[str]:
    return [digit * DIGITS for digit in draw.sample("0123456789", 3)]


def _mirrored(draw: Source) -> list[str]:
    return [half + half[::-1] for half in (_pin(draw)[:4] for _ in range(3))]


def _running(draw: Source) -> list[str]:
    starts = [(draw.randrange(10), draw.choice((1, -1))) for _ in range(3)]
    return ["".join(str((first + step * place) % 10) for place in range(DIGITS)) for first, step in starts]


def _favourite(draw: Source) -> list[str]:
    return draw.sample(TOP, 3)


def _sprayed(draw: Source) -> list[str]:
    return [_pin(draw)] * 3


PATTERNS = (_consecutive, _of_one_digit, _mirrored, _running, _favourite, _sprayed)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_guess_sequences_are_caught_by_the_third(pattern: Callable[[Source], list[str]]) -> None:
    """Of 1,000 sequences of each kind at least 99 in 100 have all three PINs marked, which is what costs 40 points."""
    draw = seeded("guesses", pattern.__name__)
    caught = sum(_taking_part(list(zip(_precincts(draw), pattern(draw), strict=True))) == 3 for _ in range(1000))
    assert caught >= 990


def test_sequences_that_mix_patterns_are_caught_too() -> None:
    """A favourite, then a run, then a digit repeated: what is counted is the guesser, not the pattern."""
    draw = seeded("mixed")
    mixed = [[draw.choice(PATTERNS[1:5])(draw)[0] for _ in range(3)] for _ in range(1000)]
    assert sum(_taking_part([("00018", pin) for pin in pins]) == 3 for pins in mixed) >= 990


def _typo(pin: str, draw: Source) -> str:
    place = draw.randrange(len(pin))
    return pin[:place] + draw.choice([digit for digit in "0123456789" if digit != pin[place]]) + pin[place + 1 :]


def test_mistyped_pins_are_not_taken_for_guesses() -> None:
    """5,000 chairs mistype one digit: at most one in 1,000 is marked at all."""
    draw = seeded("typos")
    marked = sum(_taking_part([("00018", _typo(_true_pin(draw), draw))]) for _ in range(5_000))
    assert marked <= 5


def test_three_typos_in_a_row_are_not_taken_for_guesses() -> None:
    """5,000 chairs mistype a digit three times, as often as a call allows: one in 1,000 at most gets the 40 points."""
    draw = seeded("three typos")
    flagged = 0
    for _ in range(5_000):
        pin = _true_pin(draw)
        flagged += _taking_part([("00018", _typo(pin, draw)) for _ in range(3)]) >= 3
    assert flagged <= 5


def test_the_wrong_packet_keyed_again_is_no_guess() -> None:
    """The same wrong PIN on the same precinct, as often as they like; on a second precinct it is a spray of two."""
    assert _taking_part([("00018", "50271849")] * 9) == 0
    assert _taking_part([("00018", "50271849"), ("00026", "50271849")]) == 2


@pytest.mark.parametrize(
    ("pin", "look"),
    [
        ("00000000", "one digit repeated"),
        ("12345678", "a run"),
        ("67890123", "a run"),
        ("21098765", "a run"),
        ("11223344", "a run"),
        ("12344321", "the same forwards and backwards"),
        ("12121212", "a part repeated"),
        ("50275027", "a part repeated"),
        ("11112222", "among the most chosen"),
        ("50271849", ""),
        ("123456", "a run"),
        ("502718", ""),
        ("", ""),
        ("111", ""),
        ("5027*849", ""),
        ("٠٠٠٠٠٠٠٠", ""),
    ],
)
def test_looks(pin: str, look: str) -> None:
    """What a guesser thinks of; anything may be keyed."""
    assert look == looks_guessed(pin)


def test_every_favourite_looks_guessed_and_is_found_once() -> None:
    """Twenty of them, eight digits each."""
    assert [20, {DIGITS}, []] == [
        len(FAVOURITES),
        {len(pin) for pin in FAVOURITES},
        [p for p in TOP if not looks_guessed(p)],
    ]


@pytest.mark.parametrize(
    ("pin", "expected"),
    [
        ("00000100", ("00000101", "00000099", "00000111", "00000089", "00000211", "99999989")),
        ("99999999", ("00000000", "99999998", "00000010", "99999988", "00000110", "99999888")),
        ("", ()),
        ("12*4", ()),
    ],
)
def test_steps_stay_within_the_digits(pin: str, expected: tuple[str, ...]) -> None:
    """One, eleven and a hundred and eleven away; leading zeros stay and the last is beside the first."""
    assert expected == steps(pin)
