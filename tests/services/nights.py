"""Nights made of worksheets without a ledger, for tests of what is published of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from hotline.caucus.across import duplicates
from hotline.caucus.contest import Contest
from hotline.caucus.folder import read_contest
from hotline.caucus.worksheet import Worksheet
from hotline.caucus.worksheets import read_worksheets
from hotline.services.publication import Night
from hotline.services.tabulation import Outcome, of_worksheet
from hotline.settings import config_folder

AT = "2020-02-22T23:00:00.000Z"


def shipped(name: str) -> tuple[Contest, dict[str, Worksheet]]:
    """A contest that comes with the product, and its worksheets."""
    files = {path.name: path.read_bytes() for path in (config_folder() / "contests" / name).iterdir() if path.is_file()}
    contest = read_contest(files)
    return contest, read_worksheets(contest, files["worksheets.csv"])


def night_of(contest: Contest, keyed: Mapping[str, Worksheet], said_chance: Collection[str] = ()) -> Night:
    """Worksheets as keyed for the room, held where a rule is broken; at `said_chance` the chair named the outcome."""
    twice = duplicates(contest, keyed)
    outcomes = {code: Outcome(code, "outstanding") for code in contest.precincts}
    for code, sheet in keyed.items():
        found = of_worksheet(contest, code, sheet)
        found = (*found, *([twice[code]] if code in twice else []))
        is_held = any(finding.severity == "hard" for finding in found)
        origin = "chance" if code in said_chance else "worksheet"
        outcomes[code] = Outcome(code, "held" if is_held else "counted", 1, origin, sheet, found)
    return Night(len(keyed), AT, outcomes)
