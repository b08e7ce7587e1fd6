"""The committed Iowa contest with its worksheets, and a two-precinct folder to break."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hotline.caucus.contest import Contest
from hotline.caucus.folder import read_contest
from hotline.caucus.worksheet import Worksheet
from hotline.caucus.worksheets import read_worksheets

CONTESTS = Path(__file__).parents[2] / "config" / "contests"


@pytest.fixture(scope="session")
def iowa() -> Contest:
    """The contest as shipped."""
    return read_contest({path.name: path.read_bytes() for path in (CONTESTS / "iowa-2020").iterdir()})


@pytest.fixture(scope="session")
def reported(iowa: Contest) -> Mapping[str, Worksheet]:
    """The worksheets of 2020 as first published whole, by precinct code; four satellites never reported."""
    return read_worksheets(iowa, (CONTESTS / "iowa-2020" / "worksheets.csv").read_bytes())


@pytest.fixture(scope="session")
def nevada() -> Contest:
    """The contest of the other state, as shipped."""
    return read_contest({path.name: path.read_bytes() for path in (CONTESTS / "nevada-2020").iterdir()})


@pytest.fixture(scope="session")
def nevada_reported(nevada: Contest) -> Mapping[str, Worksheet]:
    """Worksheets of three whole counties and a few precincts of Clark as the party published them, by code."""
    return read_worksheets(nevada, (CONTESTS / "nevada-2020" / "worksheets.csv").read_bytes())


@pytest.fixture
def small_nevada(small: dict[str, bytes]) -> dict[str, bytes]:
    """The sound folder under Nevada's rules: no equivalents, early ballots in two precincts."""
    toml = small["contest.toml"].decode()
    toml = toml.replace("smallest-drops-out", "each-keeps-one").replace("coin toss", "high card")
    toml = toml.replace("[rules]", '[units]\ndelegates = "county convention delegates"\nequivalents = false\n[rules]')
    early = "[rules.early_votes]\nchoices_at_least = 2\nchoices_at_most = 3\nrepeats_allowed = false\n"
    toml = toml.replace("[[rules.satellite_delegates]]", early + "[[rules.satellite_delegates]]", 1)
    files = {
        "contest.toml": toml,
        "counties.csv": "county,delegates\nAdair,7\nPolk,4\n",
        "satellite_pools.csv": "pool\nCD1\n",
        "early_votes.csv": (
            "code,count,choice1,choice2,choice3\n"
            "00013,3,Ana,Bo,\n00013,2,Bo,Uncommitted,Ana\n00037,1,Uncommitted,Ana,\n"
        ),
    }
    return {**small, **{name: text.encode() for name, text in files.items()}}


@pytest.fixture
def small() -> dict[str, bytes]:
    """A sound folder: two counties, three precincts, one pool with one satellite, one chair's number."""
    files = {
        "contest.toml": """
name = "small-2020"
title = "Small caucuses"
line = "Small results line"
state = "IA"
[rules]
more_viable_than_delegates = "smallest-drops-out"
chance = "coin toss"
[rules.thresholds]
1 = "1/2"
2 = "1/4"
3 = "1/6"
4 = "3/20"
[[rules.satellite_delegates]]
up_to = 20
delegates = 4
[[rules.satellite_delegates]]
delegates = 5
[[preferences]]
key = "Ana"
name = "Ana Núñez"
spoken = "Nunez"
[[preferences]]
key = "Bo"
name = "Bo Li"
[[preferences]]
key = "Uncommitted"
name = "Uncommitted"
uncommitted = true
""",
        "counties.csv": "county,delegates,equivalents\nAdair,7,2\nPolk,4,17/4\n",
        "precincts.csv": "code,county,name,delegates\n00013,Adair,North,4\n00021,Adair,South,3\n00037,Polk,Año,4\n",
        "satellites.csv": "code,pool,name,spoken\n00045,CD1,Library,The Library\n",
        "satellite_pools.csv": "pool,equivalents\nCD1,6\n",
        "chairs.csv": "number,code,role\n+15155550123,00013,chair\n",
    }
    return {name: text.encode() for name, text in files.items()}
