"""Contests kept whole in the database, and the numbers on file."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine

from hotline.caucus.roster import ChairNumber
from hotline.errors import FolderProblems, SetupError
from hotline.settings import config_folder
from hotline.store import meta
from hotline.store.database import reading
from hotline.store.roster import Roster, digest, read_folder
from tests.store.held import BOTH, HeldClock

IOWA = config_folder() / "contests" / "iowa-2020"
pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)


@pytest.fixture
def roster(engine: Engine, clock: HeldClock) -> Roster:
    return Roster(engine, clock)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The Iowa folder with a second name and one number on file."""
    folder = tmp_path / "contest"
    folder.mkdir()
    for name, content in read_folder(IOWA).items():
        (folder / name).write_bytes(content)
    text = (folder / "contest.toml").read_text("utf-8")
    (folder / "contest.toml").write_text(text.replace('"iowa-2020"', '"iowa-again"'), "utf-8")
    code = (folder / "precincts.csv").read_text("utf-8").splitlines()[1].split(",")[0]
    (folder / "chairs.csv").write_text(f"number,code,role\n+15155550199,{code},chair\n", "utf-8")
    return folder


def test_loaded_contest_comes_back_whole(roster: Roster) -> None:
    """What a machine reads from the database is the contest of the folder, file for file."""
    loaded = roster.load_folder(IOWA)
    assert loaded == roster.active_contest()
    (kept,) = roster.list_contests()
    assert ("iowa-2020", 1765, True) == (kept.name, kept.precincts, kept.is_active)
    assert digest(read_folder(IOWA)) == kept.digest


def test_first_contest_is_on_until_another_is_activated(roster: Roster, folder: Path) -> None:
    """Loading a contest beside the one that is on does not move the line; activating does."""
    roster.load_folder(IOWA)
    roster.load_folder(folder)
    assert {"iowa-2020": True, "iowa-again": False} == {each.name: each.is_active for each in roster.list_contests()}
    roster.activate("iowa-again")
    assert "iowa-again" == roster.active_contest().name
    assert "iowa-2020" == roster.active_contest("iowa-2020").name
    roster.load_folder(IOWA)
    assert 2 == len(roster.list_contests()), "loaded again, it takes its own place"


def test_bad_folder_loads_nothing(roster: Roster, folder: Path) -> None:
    """All problems are listed, and the database has no trace of the folder, its numbers included."""
    with (folder / "precincts.csv").open("a", encoding="utf-8") as file:
        file.write("not,a,row\n")
    with pytest.raises(FolderProblems):
        roster.load_folder(folder)
    assert ([], ()) == (roster.list_contests(), roster.on_file("+15155550199"))


def test_missing_names_are_told_what_to_do(roster: Roster, tmp_path: Path) -> None:
    """No contest, no such contest, no such folder: one sentence each."""
    for ask in (roster.active_contest, lambda: roster.active_contest("x"), lambda: roster.activate("x")):
        with pytest.raises(SetupError, match="is loaded"):
            ask()
    with pytest.raises(SetupError, match="not a folder"):
        roster.load_folder(tmp_path / "nowhere")


def test_numbers_are_on_file_for_their_precincts(roster: Roster, folder: Path) -> None:
    """From chairs.csv and one by one; one number for several precincts, several numbers for one; withheld is none."""
    (code,) = (roster.load_folder(folder), *[roster.on_file("+15155550199")])[1]
    roster.register_number("+15155550199", "99990", "county chair")
    roster.register_number("+15155550198", code, "secretary")
    roster.register_number("+15155550198", code, "chair")
    assert (code, "99990") == roster.on_file("+15155550199")
    assert ("+15155550198", "+15155550199") == roster.numbers_of(code)
    assert ((), ()) == (roster.on_file(""), roster.on_file("+15155550000"))


def test_many_numbers_come_on_file_together(roster: Roster, folder: Path) -> None:
    """A whole roster in one transaction; one that is there already takes the new role."""
    roster.load_folder(folder)
    numbers = [
        ChairNumber(f"+151555501{place:02}", "99990", role) for place in range(3) for role in ("chair", "county chair")
    ]
    roster.register_numbers(numbers)
    assert ("+15155550100", "+15155550101", "+15155550102") == roster.numbers_of("99990")


def test_reloading_drops_numbers_no_longer_listed(roster: Roster, folder: Path) -> None:
    """A chair who stepped down is off file with the next list; a substitute enrolled on the night stays."""
    roster.load_folder(folder)
    (code,) = roster.on_file("+15155550199")
    roster.register_number("+15155550177", code, "substitute")
    (folder / "chairs.csv").write_text(f"number,code,role\n(515) 555-0198,{code},chair\n", "utf-8")
    roster.load_folder(folder)
    assert ("+15155550177", "+15155550198") == roster.numbers_of(code)
    (folder / "chairs.csv").unlink()
    roster.load_folder(folder)
    assert ("+15155550177",) == roster.numbers_of(code)


def test_numbers_on_file_are_the_active_contests(roster: Roster, folder: Path) -> None:
    """Another contest's codes name other precincts: its numbers come on file when it is on, and the first one's go."""
    roster.load_folder(IOWA)
    roster.register_number("+15155550177", "00013", "substitute")
    roster.load_folder(folder)
    assert () == roster.on_file("+15155550199")
    roster.activate("iowa-2020")
    assert ("00013",) == roster.on_file("+15155550177"), "it was on: nothing changes"
    roster.activate("iowa-again")
    assert ((), 1) == (roster.on_file("+15155550177"), len(roster.on_file("+15155550199")))


def test_marks_of_the_database_are_kept(engine: Engine, roster: Roster, clock: HeldClock) -> None:
    """A rehearsal's database says so, and keeps saying it."""
    assert not roster.is_rehearsal()
    roster.mark_rehearsal()
    assert Roster(engine, clock).is_rehearsal()
    with reading(engine) as connection:
        assert meta.get(connection, "nothing") is None
