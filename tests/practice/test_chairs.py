"""Simulated chairs: what stands on the worksheet is what is recorded, however clumsily it is keyed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotline.caucus.contest import Contest
from hotline.caucus.worksheet import Worksheet
from hotline.clock import seeded
from hotline.dialog.script import Script
from hotline.practice import habits
from hotline.practice.chairs import Chair, headcount
from hotline.practice.habits import Habits, swapped
from hotline.telephony.speech import Phrases, Prompts
from tests.practice.conversing import Room, as_filed, ear_for, errand, filed, room_for

WHERE = ("final", "Buttigieg")


def _reported(
    contest: Contest,
    prompts: Prompts,
    sheets: dict[str, Worksheet],
    code: str,
    habit: Habits | None = None,
    seed: int = 1,
) -> Room:
    """One precinct phoned in; asserts that it was recorded as on paper."""
    given = errand(contest, code, sheets[code], habit, seed)
    room = room_for(Script(contest), prompts, given, on_file=(code,) if seed % 2 else ())
    chair = Chair([given], contest, ear_for(prompts, contest), "+15155550100")
    room.see_through(chair)
    assert as_filed(given) == filed(room.filed[code])
    assert chair.confirmed == {code: f"{code}0"}
    return room


def _busy(sheets: dict[str, Worksheet]) -> str:
    """A precinct with people for the group of `WHERE` at both alignments and other groups after it."""
    return next(
        code
        for code, sheet in sheets.items()
        if sheet.final.get("Buttigieg", 0) > 12 and sheet.final.get("Warren", 0) and sheet.first.get("Yang", 0)
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_worksheets_are_recorded_as_reported(
    contest: Contest, prompts: Prompts, sheets: dict[str, Worksheet], seed: int
) -> None:
    """Every kind of site and of chair, impossible numbers too: nothing is altered on the way."""
    codes = sorted(sheets)
    seeded(seed, "test").shuffle(codes)
    satellites = [code for code in codes if contest.precincts[code].is_satellite][:10]
    single = [code for code in codes if contest.precincts[code].delegates == 1][:10]
    for code in (*codes[:100], *satellites, *single):
        _reported(contest, prompts, sheets, code, seed=seed)


@pytest.mark.parametrize("notices", ["echo", "check", "readback"])
def test_mistyped_count_is_put_right(
    contest: Contest, prompts: Prompts, sheets: dict[str, Worksheet], notices: habits.Notices
) -> None:
    """Noticed at once, at the total or at the read-back: star 2, or a change of that one group."""
    code = _busy(sheets)
    wrong = sheets[code].final["Buttigieg"] + 1
    room = _reported(contest, prompts, sheets, code, Habits(slips={WHERE: wrong}, notices=notices))
    asked = [said for said in room.heard if said.endswith("Final alignment. Buttigieg?")]
    assert len(asked) >= 1
    assert any("What should be changed?" in said for said in room.heard) == (notices != "echo")


@pytest.mark.parametrize(
    "habit",
    [
        Habits(code_slips=True),
        Habits(pin_slips=True),
        Habits(times_out=WHERE),
        Habits(star=(WHERE, "*1#")),
        Habits(star=(WHERE, "*#")),
        Habits(star=(WHERE, "*2#")),
        Habits(star=(WHERE, "*4#")),
        Habits(zero_rest=False),
        Habits(stays_silent=True),
    ],
    ids=["code", "PIN", "time", "repeat", "list", "back", "nonsense", "every zero", "silence at the end"],
)
def test_a_slip_loses_nothing(contest: Contest, prompts: Prompts, sheets: dict[str, Worksheet], habit: Habits) -> None:
    """One slip, and the same call ends with the confirmation number."""
    assert _reported(contest, prompts, sheets, _busy(sheets), habit).calls == 1


def test_a_lost_call_is_made_again_wherever_it_broke(
    contest: Contest, prompts: Prompts, sheets: dict[str, Worksheet]
) -> None:
    """The second call goes on from there; cut off after the last key, it hears the number of what was recorded."""
    code = _busy(sheets)
    for after in range(30):
        room = _reported(contest, prompts, sheets, code, Habits(cut_off_after=after))
        assert room.events["ReportConfirmed"] == 1


def test_county_chair_reports_several_in_one_call(
    contest: Contest, prompts: Prompts, sheets: dict[str, Worksheet]
) -> None:
    """Each with its own code and PIN."""
    codes = list(sheets)[:3]
    errands = [errand(contest, code, sheets[code], Habits()) for code in codes]
    room = room_for(Script(contest), prompts, *errands, on_file=tuple(codes))
    chair = Chair(errands, contest, ear_for(prompts, contest), "+15155550100")
    room.talk(chair)
    assert [as_filed(each) for each in errands] == [filed(room.filed[code]) for code in codes]
    assert chair.is_done


def test_prompts_may_be_reworded(contest: Contest, prompts: Prompts, sheets: dict[str, Worksheet]) -> None:
    """Chairs know questions by name: with every prompt in other words the same reports come in."""
    english = prompts["en"]
    texts = {name: f"Well now, {text.replace('alignment', 'round')} Right." for name, text in english.texts.items()}
    reworded = {"en": Phrases("en", english.locale, english.voice, texts)}
    for code in sorted(sheets)[::180]:
        _reported(contest, reworded, sheets, code)


def test_zeros_of_a_section_are_keyed_at_once(contest: Contest, prompts: Prompts, sheets: dict[str, Worksheet]) -> None:
    """Star 3 saves a chair with many empty groups as many questions."""
    code = _busy(sheets)
    quick = _reported(contest, prompts, sheets, code, Habits())
    slow = _reported(contest, prompts, sheets, code, Habits(zero_rest=False))
    assert len(quick.heard) < len(slow.heard)


def test_habits_depend_on_the_seed_and_the_precinct_alone(sheets: dict[str, Worksheet]) -> None:
    """The same seed draws the same slips whatever was drawn before; another draws others."""
    codes = list(sheets)[:200]
    drawn = [habits.draw(seeded(7, "chair", code), sheets[code]) for code in codes]
    again = [habits.draw(seeded(7, "chair", code), sheets[code]) for code in reversed(codes)]
    other = [habits.draw(seeded(8, "chair", code), sheets[code]) for code in codes]
    assert drawn == list(reversed(again))
    assert drawn != other


def test_a_slip_is_never_what_the_paper_says(sheets: dict[str, Worksheet]) -> None:
    """A mistyped count differs, and fits the four digits a count may have."""
    for code, sheet in sheets.items():
        for (section, group), wrong in habits.draw(seeded(3, "chair", code), sheet).slips.items():
            assert wrong != getattr(sheet, section)[group]
            assert 0 <= wrong < 1000


@pytest.mark.parametrize(("typed", "slip"), [("00018", "00108"), ("11111", "11112"), ("99999", "99990")])
def test_swapped_digits_differ(typed: str, slip: str) -> None:
    """Neighbours swap where they differ; otherwise the last is a key off."""
    assert slip == swapped(typed)


def test_headcount_is_the_larger_alignment_where_none_was_taken() -> None:
    """Nobody was counted who was not there."""
    sheet = Worksheet(None, {"Biden": 3}, {"Biden": 2, "Warren": 2}, {})
    assert headcount(sheet) == 4
    assert headcount(replace(sheet, headcount=9)) == 9
