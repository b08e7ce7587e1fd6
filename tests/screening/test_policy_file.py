"""The policy file: the shipped one is right, and every wrong key is told at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from hotline.errors import SetupError
from hotline.screening.policy_file import FEATURES, read
from hotline.screening.sections import PinCeilings
from tests.screening.calling import OURS, policy, shipped


def _keys(table: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _keys(value, (*path, key))
        else:
            yield (*path, key)


TEXTS = ("version", "honeypots", "areas", "neighbours")
NUMBERS = [path for path in _keys(shipped()) if path[0] not in TEXTS and path[-1] != "on"]


def _with(path: tuple[str, ...], value: object) -> dict[str, Any]:
    given = shipped()
    table = given
    for name in path[:-1]:
        table = table.setdefault(name, {})
    if value is None:
        del table[path[-1]]
    else:
        table[path[-1]] = value
    return given


def _problems(given: dict[str, Any]) -> list[str]:
    with pytest.raises(SetupError) as refused:
        read(given)
    return str(refused.value).splitlines()


def test_the_shipped_policy_has_the_ceilings_of_the_code() -> None:
    """A gate asked without a policy is as strict as the one shipped."""
    assert PinCeilings() == policy().pins


def test_what_needs_untold_timing_is_off_and_stays_off() -> None:
    """The carrier tells no times of keys: a switch that would do nothing must not look like one that does."""
    assert set(FEATURES) - {"AB-14"} == set(policy().features)
    assert _problems(_with(("features", "AB-14", "on"), True)) == [
        "screening policy: features.AB-14.on must be false: the carrier does not tell what it needs"
    ]


@pytest.mark.parametrize("path", NUMBERS, ids=".".join)
def test_each_key_is_needed_and_checked(path: tuple[str, ...]) -> None:
    """Missing, of a wrong kind, or out of range: named by its path."""
    name = ".".join(path)
    assert f"screening policy: {name} is missing" in _problems(_with(path, None))
    for wrong in ("30", 30.0, -1, 10**9, []):
        assert any(problem.startswith(f"screening policy: {name} must be") for problem in _problems(_with(path, wrong)))


@pytest.mark.parametrize("path", [path for path in NUMBERS if path[-1] != "rejects"], ids=".".join)
def test_true_is_no_number(path: tuple[str, ...]) -> None:
    """TOML's true is Python's 1."""
    assert any(".".join(path) in problem for problem in _problems(_with(path, True)))


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("version",), "", 'version must be text beginning with a year, like "2026-12-01"'),
        (("version",), 2026, 'version must be text beginning with a year, like "2026-12-01"'),
        (("weights",), {}, "weights is not known"),
        (("pins", "in_cal"), 3, "pins.in_cal is not known"),
        (("features", "AB-99"), {}, "features.AB-99 is not known"),
        (("features", "AB-01", "weight"), 3, "features.AB-01.weight is not known"),
        (("features", "AB-01", "on"), 1, "features.AB-01.on must be true or false"),
        (("lines",), 10, "lines must be a table"),
        (("features", "AB-09", "points"), 10, "features.AB-09.points must be a whole number from 0 to 9, not 10"),
        (("ladder", "panic"), {}, "ladder.panic is not known"),
        (("ladder", "calm", "slow"), 20, "ladder.calm must rise: challenge, slow, reject"),
        (
            ("ladder", "attack", "challenge"),
            5,
            "ladder.attack.challenge must be 0, or 10 and more: an area code alone challenges nobody",
        ),
        (("watch", "failures"), 51, "watch.calm_below, watch.failures and attack.failures must rise in this order"),
        (
            ("pins", "alert_one_in"),
            999,
            "pins.alert_one_in must not be below pins.call_back_one_in: the alert comes first",
        ),
        (("areas", "IA"), [], "areas.IA must be a list of texts like 319"),
        (("areas", "IA"), [515], "areas.IA must be a list of texts like 319"),
        (("areas", "IA"), ["115"], "areas.IA must be a list of texts like 319"),
        (("areas", "Iowa"), ["515"], 'areas.Iowa must be a state in two letters, like "IA"'),
        (("neighbours", "IA"), ["ZZ"], "neighbours.IA: ZZ has no list in areas"),
        (("neighbours", "ZZ"), ["IA"], "neighbours.ZZ: ZZ has no list in areas"),
        (("honeypots",), None, "honeypots must be a list of texts like 00013"),
        (("honeypots",), ["1234"], "honeypots must be a list of texts like 00013"),
        (("honeypots",), ["00014"], "honeypots: 00014 has a wrong check digit"),
        (("lines", "515"), {}, "lines.515 must be named by a number of ours, like +15155550100"),
        (("lines", OURS, "AB-99"), {}, f"lines.{OURS}.AB-99 is not known"),
        (
            ("lines", OURS, "AB-01"),
            {"points": "9"},
            f"lines.{OURS}.AB-01.points must be a whole number from 0 to 100, not '9'",
        ),
        (
            ("lines", OURS, "AB-14"),
            {"on": True},
            f"lines.{OURS}.AB-14.on must be false: the carrier does not tell what it needs",
        ),
    ],
)
def test_what_is_wrong_is_told(path: tuple[str, ...], value: object, told: str) -> None:
    """One problem, one line, naming the key and the rule."""
    assert [f"screening policy: {told}"] == _problems(_with(path, value))


def test_all_problems_are_told_at_once() -> None:
    """An empty file names every table, and nothing raises on the way."""
    told = "\n".join(_problems({}))
    assert [name for name in shipped() if f"{name}" not in told] == []
    assert all(f"pins.{each.name} is missing" in told for each in fields(PinCeilings))


def test_one_number_of_ours_has_weights_of_its_own() -> None:
    """Only what it names differs, and only there."""
    special = policy({f"lines.{OURS}.AB-07.points": 25})
    assert (25, 15) == (special.features["AB-07"]["points"], policy().features["AB-07"]["points"])
    assert {**policy().features, "AB-07": {"points": 25}} == special.features
