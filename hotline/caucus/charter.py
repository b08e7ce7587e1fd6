"""contest.toml: what the party decides before the night (title, greeting, preferences, rules), read from bytes.

The roster of counties and precincts is read in `folder`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeGuard, get_args

from hotline.caucus.contest import EarlyRules, Hours, MoreViableThanDelegates, Preference, RuleSet, Units
from hotline.caucus.hours import KEYS, hours
from hotline.caucus.rows import Problems, exact

FILE = "contest.toml"
_SHARE = re.compile(r"[0-9]{1,6}/[0-9]{1,6}", re.ASCII)
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*", re.ASCII)
_TOP = frozenset({"name", "title", "line", "state", "rules", "preferences", "units", "hours"})
_RULES = frozenset({"thresholds", "more_viable_than_delegates", "chance", "satellite_delegates", "early_votes"})
_EARLY = frozenset({"choices_at_least", "choices_at_most", "repeats_allowed"})
_UNITS = frozenset({"delegates", "equivalents"})
_BAND = frozenset({"up_to", "delegates"})
_PREFERENCE = frozenset({"key", "name", "spoken", "uncommitted"})
_UNREAD = RuleSet({}, "smallest-drops-out", "")
"""Stands in for rules that cannot be read, whole or in part, until `Problems.stop_if_any`."""


@dataclass(frozen=True)
class Charter:
    """The contest less its roster."""

    name: str
    title: str
    line: str
    state: str
    preferences: tuple[Preference, ...]
    rules: RuleSet
    units: Units
    hours: Hours | None


def read_charter(data: bytes, problems: Problems) -> Charter | None:
    """contest.toml as values; what is wrong is noted. None when the file is not TOML at all."""
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        problems.note(FILE, "is not UTF-8 text; save it as UTF-8")
        return None
    except tomllib.TOMLDecodeError as error:
        problems.note(FILE, f"cannot be read: {error}")
        return None
    _refuse_others(FILE, table, _TOP, problems)
    name = _text(table, "name", FILE, problems)
    if name and not _NAME.fullmatch(name):
        problems.note(f"{FILE}, name", f"{name!r} must be small letters, digits and hyphens, like iowa-2020")
    return Charter(
        name=name,
        title=_text(table, "title", FILE, problems),
        line=_text(table, "line", FILE, problems),
        state=_text(table, "state", FILE, problems),
        preferences=_preferences(table.get("preferences"), problems),
        rules=_rules(table.get("rules"), problems),
        units=_units(table.get("units"), problems),
        hours=_hours(table.get("hours"), problems),
    )


def _preferences(value: object, problems: Problems) -> tuple[Preference, ...]:
    entries = _tables(value, "preferences", problems)
    preferences = tuple(_preference(number, entry, problems) for number, entry in enumerate(entries, start=1))
    if not preferences:
        problems.note(FILE, "names no preferences; add a [[preferences]] table for each group on the worksheet")
    for what, names in (
        ("key", [preference.key for preference in preferences]),
        ("name", [preference.name for preference in preferences]),
        ("spoken", [preference.spoken for preference in preferences]),
    ):
        folded = [name.casefold() for name in names]
        for twice in sorted({name for name in folded if name and folded.count(name) > 1}):
            problems.note(f"{FILE}, preferences", f"{what} {twice!r} is there twice; each group needs its own")
    return preferences


def _preference(number: int, entry: Mapping[str, Any], problems: Problems) -> Preference:
    place = f"{FILE}, preference {number}"
    _refuse_others(place, entry, _PREFERENCE, problems)
    key, name = _text(entry, "key", place, problems), _text(entry, "name", place, problems)
    if key and not _KEY.fullmatch(key):
        problems.note(f"{place}, key", f"{key!r} must be plain letters and digits, beginning with a letter")
    uncommitted = entry.get("uncommitted", False)
    if not isinstance(uncommitted, bool):
        problems.note(f"{place}, uncommitted", f"{uncommitted!r} must be true or false")
    spoken = _text(entry, "spoken", place, problems) if "spoken" in entry else name
    return Preference(key, number, name, spoken, uncommitted is True)


def _rules(value: object, problems: Problems) -> RuleSet:
    if not isinstance(value, dict):
        problems.note(FILE, "has no [rules] table; thresholds and rule choices stand there")
        return _UNREAD
    place = f"{FILE}, rules"
    _refuse_others(place, value, _RULES, problems)
    return RuleSet(
        thresholds=_thresholds(value.get("thresholds"), problems),
        more_viable_than_delegates=_choice(value.get("more_viable_than_delegates"), problems),
        chance=_text(value, "chance", place, problems),
        satellite_delegates=_bands(value.get("satellite_delegates"), problems),
        early=_early(value.get("early_votes"), problems),
    )


def _choice(value: object, problems: Problems) -> MoreViableThanDelegates:
    choices: tuple[MoreViableThanDelegates, ...] = get_args(MoreViableThanDelegates)
    for choice in choices:
        if value == choice:
            return choice
    place = f"{FILE}, rules.more_viable_than_delegates"
    problems.note(place, f"{value!r} must be one of {', '.join(choices)}")
    return _UNREAD.more_viable_than_delegates


def _thresholds(value: object, problems: Problems) -> dict[int, Fraction]:
    """Shares by delegates elected, 1 to the last, which stands for itself and more."""
    place = f"{FILE}, rules.thresholds"
    if not isinstance(value, dict) or set(value) != {str(number) for number in range(1, len(value) + 1)} or not value:
        problems.note(place, 'needs the keys 1, 2, 3 … without a gap, each a share like "3/20"; the last is "or more"')
        return {}
    shares: dict[int, Fraction] = {}
    for key, share in value.items():
        if isinstance(share, str) and _SHARE.fullmatch(share) and 0 < exact(share) < 1:
            shares[int(key)] = Fraction(share)
        else:
            problems.note(f"{place}.{key}", f'{share!r} must be a fraction between 0 and 1 in quotes, like "3/20"')
    return shares


def _bands(value: object, problems: Problems) -> tuple[tuple[int | None, int], ...]:
    """(largest headcount, delegates) in rising order; the last band has no largest headcount."""
    bands: list[tuple[int | None, int]] = []
    floor = 0
    entries = _tables(value, "rules.satellite_delegates", problems)
    for number, entry in enumerate(entries, start=1):
        place = f"{FILE}, rules.satellite_delegates {number}"
        _refuse_others(place, entry, _BAND, problems)
        largest, delegates = entry.get("up_to"), entry.get("delegates")
        is_last = number == len(entries)
        if is_last:
            if largest is not None:
                problems.note(
                    f"{place}, up_to", "must be left out in the last band, which takes every larger headcount"
                )
        elif _is_whole(largest, floor + 1):
            floor = largest
        else:
            problems.note(f"{place}, up_to", f"{largest!r} must be a whole number above {floor}: bands rise")
        if _is_whole(delegates, 1):
            bands.append((largest, delegates))
        else:
            problems.note(f"{place}, delegates", f"{delegates!r} must be a whole number, 1 or more")
    return tuple(bands)


def _early(value: object, problems: Problems) -> EarlyRules | None:
    """What an early ballot must be; None when the table is not there."""
    if value is None:
        return None
    place = f"{FILE}, rules.early_votes"
    if not isinstance(value, dict):
        problems.note(place, "must be written as a [rules.early_votes] table")
        return None
    _refuse_others(place, value, _EARLY, problems)
    least, most, repeats = (value.get(key) for key in ("choices_at_least", "choices_at_most", "repeats_allowed"))
    if not _is_whole(least, 1):
        problems.note(f"{place}, choices_at_least", f"{least!r} must be a whole number, 1 or more")
        return None
    if not _is_whole(most, least):
        problems.note(f"{place}, choices_at_most", f"{most!r} must be a whole number, {least} or more")
        return None
    if not isinstance(repeats, bool):
        problems.note(f"{place}, repeats_allowed", f"{repeats!r} must be true or false")
        return None
    return EarlyRules(least, most, repeats)


def _units(value: object, problems: Problems) -> Units:
    """What delegates are called and what they turn into; left out, county delegates and their SDEs, as in Iowa.

    Only `equivalents = false` does without SDEs, so that a forgotten column is never taken for a rule.
    """
    if value is None:
        return Units()
    place = f"{FILE}, units"
    if not isinstance(value, dict):
        problems.note(place, "must be written as a [units] table")
        return Units()
    _refuse_others(place, value, _UNITS, problems)
    delegates = _text(value, "delegates", place, problems)
    if value.get("equivalents") is False:
        return Units(delegates, None)
    if not isinstance(value.get("equivalents"), str):
        problems.note(
            f"{place}, equivalents", "must be what delegates turn into, as words in quotes, or false for nothing"
        )
        return Units(delegates)
    return Units(delegates, _text(value, "equivalents", place, problems))


def _hours(value: object, problems: Problems) -> Hours | None:
    """When doors open and close; None when the table is not there."""
    if value is None:
        return None
    place = f"{FILE}, hours"
    if not isinstance(value, dict):
        problems.note(place, "must be written as an [hours] table")
        return None
    _refuse_others(place, value, KEYS, problems)
    return hours(value.get("opens"), value.get("closes"), lambda key, what: problems.note(f"{place}.{key}", what))


def _is_whole(value: object, least: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _text(table: Mapping[str, Any], key: str, place: str, problems: Problems) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        problems.note(f"{place}, {key}", "must be there, as words in quotes on one line")
        return ""
    return " ".join(value.split())


def _tables(value: object, name: str, problems: Problems) -> Sequence[Mapping[str, Any]]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        problems.note(f"{FILE}, {name}", f"must be written as [[{name}]] tables")
        return ()
    return value


def _refuse_others(place: str, table: Mapping[str, Any], known: frozenset[str], problems: Problems) -> None:
    for key in sorted(set(table) - known):
        problems.note(f"{place}, {key}", f"is not known; known here: {', '.join(sorted(known))}")
