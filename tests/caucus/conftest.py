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
