"""A large contest for measuring is as sound as the real one it is made from."""

from __future__ import annotations

from collections import Counter

from hotline.caucus.codes import is_valid
from hotline.caucus.contest import Contest
from hotline.caucus.folder import read_contest
from hotline.caucus.worksheet import Worksheet
from hotline.caucus.worksheets import read_worksheets
from hotline.services.copies import copies
from hotline.services.publication import findings_of_sheets
from hotline.settings import config_folder
from hotline.store.roster import read_folder

FOLDER = config_folder() / "contests" / "iowa-2020"


def iowa() -> tuple[Contest, dict[str, Worksheet]]:
    contest = read_contest(read_folder(FOLDER))
    return contest, dict(read_worksheets(contest, (FOLDER / "worksheets.csv").read_bytes()))


def test_every_site_has_a_code_a_worksheet_and_an_area() -> None:
    """As many as asked for, past the end of the real roster and back to its beginning."""
    many, keyed = copies(*iowa(), 4000)
    assert len(many.precincts) == len(keyed) == 4000
    assert list(many.precincts) == list(keyed)
    assert all(is_valid(code) for code in keyed)
    assert {site.county for site in many.precincts.values()} == {*many.counties, *many.pools}
    assert all(sheet.headcount is not None for sheet in keyed.values())


def test_a_copy_breaks_the_rules_its_original_breaks() -> None:
    """Other groups, the same numbers: three of the real night give three times its broken rules, and no more
    duplicates than chance and the real ones make."""
    contest, sheets = iowa()
    (once, one), (thrice, three) = copies(contest, sheets, 1761), copies(contest, sheets, 3 * 1761)
    found, more = (
        Counter(row["code"] for row in findings_of_sheets(*each) if row["severity"] == "hard" and row["precinct"])
        for each in ((once, one), (thrice, three))
    )
    shuffled = ("DUPLICATE_RECORD", "COLUMN_SHIFT")
    assert {code: 3 * count for code, count in found.items() if code not in shuffled} == {
        code: count for code, count in more.items() if code not in shuffled
    }
    assert found["DUPLICATE_RECORD"] == 6
    assert more["DUPLICATE_RECORD"] < 4 * found["DUPLICATE_RECORD"]
