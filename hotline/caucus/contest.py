"""A contest: who is running, where, for how many delegates, under which rules. Values only; `folder` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

MoreViableThanDelegates = Literal["smallest-drops-out", "each-keeps-one"]
"""What happens when more groups are viable than there are delegates: Iowa drops the smallest, Nevada adds delegates."""


@dataclass(frozen=True)
class Preference:
    """One preference group, in worksheet order. `number` counts from 1 and is what the worksheet prints beside it."""

    key: str
    number: int
    name: str
    spoken: str
    is_uncommitted: bool = False


@dataclass(frozen=True)
class Precinct:
    """One reporting site. `code` is four digits and a Damm check digit.

    `county` is a county's name, or for a satellite the name of its pool. `delegates` is the number of county delegates
    the precinct elects; None for a satellite, whose delegates depend on its headcount. `spoken` is how the phone says
    the name.
    """

    code: str
    county: str
    name: str
    spoken: str
    delegates: int | None

    @property
    def is_satellite(self) -> bool:
        """Whether the site's delegates come from its headcount."""
        return self.delegates is None


@dataclass(frozen=True)
class County:
    """A county: its county delegates and the state delegate equivalents they share."""

    name: str
    delegates: int
    equivalents: Fraction


@dataclass(frozen=True)
class Pool:
    """A pool of satellite sites (a congressional district, or out of state) and its state delegate equivalents.

    `spoken` is how the phone says it, "First District satellites"; "" where the name alone will do.
    """

    name: str
    equivalents: Fraction
    spoken: str = ""


@dataclass(frozen=True)
class RuleSet:
    """The party's arithmetic as data. Sources stand in `contest.toml` beside each number.

    `thresholds` maps delegates elected (1, 2, 3, 4 meaning "4 or more") to the share of the headcount, an exact
    fraction, rounded up; the share for 1 delegate is exceeded, not met. `satellite_delegates` lists
    (largest headcount, delegates) in rising order, the last with largest headcount None.
    """

    thresholds: Mapping[int, Fraction]
    more_viable_than_delegates: MoreViableThanDelegates
    chance: str
    satellite_delegates: tuple[tuple[int | None, int], ...] = ()


@dataclass(frozen=True)
class Contest:
    """Everything that is fixed before the night.

    `precincts`, `counties` and `pools` are keyed by code or name, in roster order. `line` is how the phone greets:
    "Iowa caucus results line". `state` is the postal abbreviation, "IA".
    """

    name: str
    title: str
    line: str
    preferences: tuple[Preference, ...]
    precincts: Mapping[str, Precinct]
    counties: Mapping[str, County]
    pools: Mapping[str, Pool]
    rules: RuleSet
    state: str = ""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Preference keys in worksheet order."""
        return tuple(preference.key for preference in self.preferences)

    @cached_property
    def by_key(self) -> Mapping[str, Preference]:
        """Preferences by key."""
        return {preference.key: preference for preference in self.preferences}
