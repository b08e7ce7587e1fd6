"""A contest: who is running, where, for how many delegates, under which rules. Values only; `folder` reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
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
class Hours:
    """When doors open, and when a caucus is expected to be over: instants with their offset from UTC."""

    opens: datetime
    closes: datetime


@dataclass(frozen=True)
class Precinct:
    """One reporting site. `code` is four digits and a Damm check digit.

    `county` is a county's name, or for a satellite the name of its pool. `delegates` is the number of county delegates
    the precinct elects; None for a satellite, whose delegates depend on its headcount. `spoken` is how the phone says
    the name. `past_attendance` is how many people came to the last caucus there, None where nobody knows. `hours` are
    the site's own; None: the contest's.
    """

    code: str
    county: str
    name: str
    spoken: str
    delegates: int | None
    past_attendance: int | None = None
    hours: Hours | None = None

    @property
    def is_satellite(self) -> bool:
        """Whether the site's delegates come from its headcount."""
        return self.delegates is None


@dataclass(frozen=True)
class County:
    """A county: its county delegates and the state delegate equivalents they share, 0 where the contest has none."""

    name: str
    delegates: int
    equivalents: Fraction


@dataclass(frozen=True)
class Pool:
    """A pool of satellite sites (a congressional district, or out of state) and its state delegate equivalents.

    They are 0 where the contest has none. `spoken` is how the phone says it, "First District satellites"; "" where the
    name alone will do.
    """

    name: str
    equivalents: Fraction
    spoken: str = ""


@dataclass(frozen=True)
class EarlyRules:
    """What makes an early ballot valid: how many choices it names, and whether one group may be named again.

    Nevada 2020 asked for three to five, and counted a ballot that named one group three times.
    """

    choices_at_least: int
    choices_at_most: int
    repeats_allowed: bool


@dataclass(frozen=True)
class EarlyBallots:
    """`count` early ballots of one precinct that are alike: the preference keys they rank, first choice first."""

    count: int
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Units:
    """What is won, as pages and the phone call it: delegates, and what they turn into.

    `equivalents` is None where delegates are the last thing counted, as Nevada's county convention delegates were.
    """

    delegates: str = "county delegates"
    equivalents: str | None = "state delegate equivalents"


@dataclass(frozen=True)
class RuleSet:
    """The party's arithmetic as data. Sources stand in `contest.toml` beside each number.

    `thresholds` maps delegates elected (1, 2, 3, 4 meaning "4 or more") to the share of the headcount, an exact
    fraction, rounded up; the share for 1 delegate is exceeded, not met. `satellite_delegates` lists
    (largest headcount, delegates) in rising order, the last with largest headcount None. `early` is None where nobody
    votes before the night.
    """

    thresholds: Mapping[int, Fraction]
    more_viable_than_delegates: MoreViableThanDelegates
    chance: str
    satellite_delegates: tuple[tuple[int | None, int], ...] = ()
    early: EarlyRules | None = None


@dataclass(frozen=True)
class Contest:
    """Everything that is fixed before the night.

    `precincts`, `counties` and `pools` are keyed by code or name, in roster order. `line` is how the phone greets:
    "Iowa caucus results line". `state` is the postal abbreviation, "IA". `early_ballots` are those cast before the
    night, by precinct code; a precinct without any is not there. `hours` are those of every site without its own, None
    where nobody knows.
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
    units: Units = Units()
    early_ballots: Mapping[str, tuple[EarlyBallots, ...]] = field(default_factory=dict)
    hours: Hours | None = None

    @property
    def has_equivalents(self) -> bool:
        """Whether delegates turn into state delegate equivalents; where not, delegates decide who leads."""
        return self.units.equivalents is not None

    @cached_property
    def every_hours(self) -> frozenset[Hours | None]:
        """The hours of all sites, each once; None where nobody knows a site's."""
        return self.hours_of(self.precincts)

    def hours_of(self, codes: Collection[str]) -> frozenset[Hours | None]:
        """The hours of some sites, likewise. `codes` are of this contest."""
        return frozenset(self.precincts[code].hours or self.hours for code in codes)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Preference keys in worksheet order."""
        return tuple(preference.key for preference in self.preferences)

    @cached_property
    def by_key(self) -> Mapping[str, Preference]:
        """Preferences by key."""
        return {preference.key: preference for preference in self.preferences}
