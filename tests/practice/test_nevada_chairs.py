"""Simulated chairs where ballots were cast early: the worksheets of the sample are the room's and keyed as such."""

from __future__ import annotations

import pytest

from hotline.caucus.contest import Contest
from hotline.caucus.folder import read_contest
from hotline.caucus.worksheet import Worksheet
from hotline.dialog.script import Script
from hotline.practice.chairs import Chair
from hotline.practice.habits import Habits
from hotline.practice.rehearsal import read_sheets
from hotline.settings import config_folder
from hotline.store.roster import read_folder
from hotline.telephony.speech import Prompts
from tests.practice.conversing import Room, as_filed, ear_for, errand, filed, room_for

SAMPLE = config_folder() / "contests" / "nevada-sample"
EMPTY_ROOM = "00068"


@pytest.fixture(scope="module")
def nevada() -> Contest:
    return read_contest(read_folder(SAMPLE))


@pytest.fixture(scope="module")
def room_sheets(nevada: Contest) -> dict[str, Worksheet]:
    return read_sheets(nevada, SAMPLE)


def reported(contest: Contest, prompts: Prompts, code: str, sheet: Worksheet, habit: Habits | None, seed: int) -> Room:
    """One precinct phoned in; asserts that it was recorded as on paper."""
    given = errand(contest, code, sheet, habit, seed)
    room = room_for(Script(contest), prompts, given)
    room.see_through(Chair([given], contest, ear_for(prompts, contest), "+15155550100"))
    assert as_filed(given) == filed(room.filed[code])
    return room


def test_a_chair_with_the_rooms_worksheet_hears_its_own_split(
    nevada: Contest, prompts: Prompts, room_sheets: dict[str, Worksheet]
) -> None:
    """In all six precincts the split offered is the worksheet's, and no rule is named."""
    for code, sheet in room_sheets.items():
        room = reported(nevada, prompts, code, sheet, Habits(), 1)
        assert (code, room.calls, room.events["DelegatesSettled"]) == (code, 1, 1)
        assert room.events.keys().isdisjoint({"DelegatesGiven", "FindingsKept"})
        assert room.filed[code].counted is not None
        assert (room.events["TallyGiven"] == 0) == (code == EMPTY_ROOM)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_clumsy_chair_gets_the_rooms_numbers_through(
    nevada: Contest, prompts: Prompts, room_sheets: dict[str, Worksheet], seed: int
) -> None:
    """Slips, stars and lost calls as the seed draws them; the read-back is compared with the paper all the same."""
    for code, sheet in room_sheets.items():
        reported(nevada, prompts, code, sheet, None, seed)
