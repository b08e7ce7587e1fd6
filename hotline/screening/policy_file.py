"""config/screening.toml as a checked `Policy`: a mapping in, every problem named at once. The file is read above.

What each number is for stands in the file, beside it. Here stand the keys there are and the range of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar, get_args

from hotline.caucus.codes import is_valid
from hotline.errors import SetupError
from hotline.screening.sections import (
    COUNT,
    MINUTES,
    POINTS,
    Admission,
    Attack,
    Contested,
    Hold,
    Ladder,
    PinCeilings,
    Rates,
    Staff,
    Watch,
)
from hotline.screening.signals import EventState

Weights = Mapping[str, int]
"""The numbers of one feature by key: "points", "minutes" …"""

FEATURES: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "AB-01": {"points": POINTS, "cap": POINTS, "minutes": MINUTES},
    "AB-02": {"points": POINTS, "cap": POINTS, "minutes": MINUTES},
    "AB-03": {"points": POINTS, "minutes": MINUTES},
    "AB-04": {"points": POINTS, "strike_at": COUNT, "strike": POINTS, "minutes": MINUTES},
    "AB-05": {"in_call": COUNT, "points": POINTS, "in_window": COUNT, "more": POINTS, "minutes": MINUTES},
    "AB-06": {"at": COUNT, "points": POINTS, "minutes": MINUTES},
    "AB-07": {"points": POINTS},
    "AB-08": {"failed": POINTS, "passed_c": POINTS, "passed_a": POINTS},
    "AB-09": {"points": (0, 9)},
    "AB-10": {"points": POINTS, "before": MINUTES, "after": MINUTES},
    "AB-11": {"strikes": COUNT, "minutes": MINUTES, "points": POINTS},
    "AB-14": {"points": POINTS},
    "AB-15": {"calls": COUNT, "minutes": MINUTES, "points": POINTS},
    "AB-16": {"points": POINTS, "minutes": MINUTES},
    "AB-18": {"points": POINTS, "minutes": MINUTES},
    "GR-03": {"passed": POINTS, "failed": POINTS, "cap": POINTS, "minutes": MINUTES},
}
"""The features of the score, the keys of each and their ranges. AB-09 stays below any step: it never decides alone."""

UNTOLD = frozenset({"AB-14"})
"""Features that need what no carrier tells yet (when each key was pressed): they can only be off."""

_STATE = re.compile(r"[A-Z]{2}", re.ASCII)
_CODE = re.compile(r"[0-9]{5}", re.ASCII)
_AREA = re.compile(r"[2-9][0-9]{2}", re.ASCII)
_LIKE = {_STATE: "IL", _AREA: "319", _CODE: "00013"}
_LINE = re.compile(r"\+[1-9][0-9]{6,14}", re.ASCII)
_VERSION = re.compile(r"20[0-9]{2}-[0-9A-Za-z.-]{1,30}", re.ASCII)


@dataclass(frozen=True)
class Policy:
    """The whole policy. `features` has those switched on; `lines` the same, whole, for numbers of ours that differ.

    `areas` are a state's area codes with those of its neighbours; `near` the ones of the contest, empty when not known.
    `honeypots` are precinct codes printed nowhere.
    """

    version: str
    features: Mapping[str, Weights]
    ladder: Mapping[EventState, Ladder]
    hold: Hold
    admission: Admission
    rates: Rates
    staff: Staff
    contested: Contested
    watch: Watch
    attack: Attack
    pins: PinCeilings
    areas: Mapping[str, frozenset[str]]
    lines: Mapping[str, Mapping[str, Weights]]
    honeypots: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()

    def at(self, called: str, state: str) -> Policy:
        """The policy for one number of ours (`called`, E.164) in a contest of `state` ("IA")."""
        near = self.areas.get(state, frozenset())
        return replace(self, features=self.lines.get(called, self.features), near=near)


_SECTIONS: Mapping[str, type] = {
    "hold": Hold,
    "admission": Admission,
    "rates": Rates,
    "staff": Staff,
    "contested": Contested,
    "watch": Watch,
    "attack": Attack,
    "pins": PinCeilings,
}
_OTHERS = ("version", "honeypots", "features", "ladder", "areas", "neighbours", "lines")
_T = TypeVar("_T")


def read(given: Mapping[str, Any]) -> Policy:
    """The policy of a parsed screening.toml. Raises `SetupError` naming every bad key, one a line."""
    problems: list[str] = []
    _refuse_others(given, (*_SECTIONS, *_OTHERS), "", problems)
    version = given.get("version")
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        problems.append('version must be text beginning with a year, like "2026-12-01"')
    sections: dict[str, Any] = {
        name: _section(kind, given.get(name), name, problems) for name, kind in _SECTIONS.items()
    }
    features = _features(given.get("features"), problems)
    policy = Policy(
        version=str(version),
        features=_switched_on(features),
        ladder=_ladders(given.get("ladder"), problems),
        areas=_areas(given, problems),
        lines=_lines(given.get("lines"), features, problems),
        honeypots=_honeypots(given.get("honeypots"), problems),
        **sections,
    )
    _check_order(policy, problems)
    if problems:
        raise SetupError("\n".join(f"screening policy: {problem}" for problem in problems))
    return policy


def _section(kind: type[_T], given: object, place: str, problems: list[str]) -> _T:
    """One table as its dataclass; a missing or bad key is noted and stands at its lowest."""
    table = _table(given, place, problems)
    values: dict[str, int | bool] = {}
    known = fields(kind)  # type: ignore[arg-type]
    _refuse_others(table, [each.name for each in known], place, problems)
    for each in known:
        if each.type == "bool":
            values[each.name] = _flag(table, each.name, place, problems)
        else:
            values[each.name] = _whole(table, each.name, each.metadata["bounds"], place, problems)
    return kind(**values)


def _features(given: object, problems: list[str]) -> dict[str, dict[str, Any]]:
    tables = _table(given, "features", problems)
    _refuse_others(tables, FEATURES, "features", problems)
    return {code: _feature(code, tables.get(code), f"features.{code}", problems) for code in FEATURES}


def _feature(code: str, given: object, place: str, problems: list[str]) -> dict[str, Any]:
    table = {"on": True, **_table(given, place, problems)}
    _refuse_others(table, ("on", *FEATURES[code]), place, problems)
    is_on = _flag(table, "on", place, problems)
    if is_on and code in UNTOLD:
        problems.append(f"{place}.on must be false: the carrier does not tell what it needs")
    return {"on": is_on, **{key: _whole(table, key, FEATURES[code][key], place, problems) for key in FEATURES[code]}}


def _lines(given: object, features: Mapping[str, Mapping[str, Any]], problems: list[str]) -> dict[str, Any]:
    lines = {}
    for called, tables in _table(given, "lines", problems).items():
        place = f"lines.{called}"
        if not _LINE.fullmatch(called):
            problems.append(f"{place} must be named by a number of ours, like +15155550100")
        changes = _table(tables, place, problems)
        _refuse_others(changes, FEATURES, place, problems)
        own = {
            code: _feature(
                code,
                {**features[code], **_table(changes[code], f"{place}.{code}", problems)},
                f"{place}.{code}",
                problems,
            )
            for code in FEATURES
            if code in changes
        }
        lines[called] = _switched_on({**features, **own})
    return lines


def _switched_on(features: Mapping[str, Mapping[str, Any]]) -> dict[str, Weights]:
    return {
        code: {key: value for key, value in feature.items() if key != "on"}
        for code, feature in features.items()
        if feature["on"]
    }


def _ladders(given: object, problems: list[str]) -> dict[EventState, Ladder]:
    states: tuple[EventState, ...] = get_args(EventState)
    table = _table(given, "ladder", problems)
    _refuse_others(table, states, "ladder", problems)
    return {state: _section(Ladder, table.get(state), f"ladder.{state}", problems) for state in states}


def _areas(given: Mapping[str, Any], problems: list[str]) -> dict[str, frozenset[str]]:
    """A state's area codes and its neighbours', for each state whose neighbours are listed."""
    own = {
        state: _texts(codes, f"areas.{state}", _AREA, problems) for state, codes in _by_state(given, "areas", problems)
    }
    areas = {}
    for state, others in _by_state(given, "neighbours", problems):
        place = f"neighbours.{state}"
        around = (state, *_texts(others, place, _STATE, problems))
        problems += [f"{place}: {other} has no list in areas" for other in around if other not in own]
        areas[state] = frozenset(code for other in around for code in own.get(other, ()))
    return areas


def _honeypots(given: object, problems: list[str]) -> frozenset[str]:
    """Codes a guesser comes upon and nobody else: a wrong check digit would be taken for a typo."""
    codes = _texts(given, "honeypots", _CODE, problems) if given != [] else ()
    problems += [f"honeypots: {code} has a wrong check digit" for code in codes if not is_valid(code)]
    return frozenset(codes)


def _by_state(given: Mapping[str, Any], name: str, problems: list[str]) -> list[tuple[str, object]]:
    table = _table(given.get(name), name, problems)
    problems += [
        f'{name}.{state} must be a state in two letters, like "IA"' for state in table if not _STATE.fullmatch(state)
    ]
    return list(table.items())


def _check_order(policy: Policy, problems: list[str]) -> None:
    """Numbers that are each in range and contradict one another."""
    for state, ladder in policy.ladder.items():
        if not ladder.challenge <= ladder.slow <= ladder.reject:
            problems.append(f"ladder.{state} must rise: challenge, slow, reject")
        if 0 < ladder.challenge < 10:
            problems.append(f"ladder.{state}.challenge must be 0, or 10 and more: an area code alone challenges nobody")
    if policy.watch.calm_below > policy.watch.failures or policy.watch.failures > policy.attack.failures:
        problems.append("watch.calm_below, watch.failures and attack.failures must rise in this order")
    if policy.pins.alert_one_in < policy.pins.call_back_one_in:
        problems.append("pins.alert_one_in must not be below pins.call_back_one_in: the alert comes first")


def _table(given: object, place: str, problems: list[str]) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    problems.append(f"{place} is missing" if given is None else f"{place} must be a table")
    return {}


def _whole(table: Mapping[str, Any], key: str, bounds: tuple[int, int], place: str, problems: list[str]) -> int:
    value, (low, high) = table.get(key), bounds
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    told = "is missing" if key not in table else f"must be a whole number from {low} to {high}, not {value!r}"
    problems.append(f"{place}.{key} {told}")
    return low


def _flag(table: Mapping[str, Any], key: str, place: str, problems: list[str]) -> bool:
    if isinstance(value := table.get(key), bool):
        return value
    problems.append(f"{place}.{key} is missing" if key not in table else f"{place}.{key} must be true or false")
    return False


def _texts(given: object, place: str, shape: re.Pattern[str], problems: list[str]) -> tuple[str, ...]:
    values = given if isinstance(given, list) else []
    if not values or not all(isinstance(value, str) and shape.fullmatch(value) for value in values):
        problems.append(f"{place} must be a list of texts like {_LIKE[shape]}")
        return ()
    return tuple(values)


def _refuse_others(table: Mapping[str, Any], known: Iterable[str], place: str, problems: list[str]) -> None:
    problems += [f"{place}.{key}".lstrip(".") + " is not known" for key in sorted(table.keys() - set(known))]
