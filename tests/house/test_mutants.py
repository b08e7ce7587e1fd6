"""What is told of the rules' mutants: nothing that mutmut leaves open passes for settled."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.mutants import Mutant, Tried, report, tried

CHANGED = """
class xǁRowǁ__mutmut_holder:
    def xǁRowǁwhole__mutmut_orig(self, least=0):
        return least + 1
    def xǁRowǁwhole__mutmut_1(self, least=1):
        return least + 1
    def xǁRowǁwhole__mutmut_2(self, least=0):
        return least - 1

def x__sum__mutmut_orig(total):
    if total > 0:
        return "more"
def x__sum__mutmut_1(total):
    if total >= 0:
        return "more"
"""
"""A module as mutmut writes it, less what calls one function or another."""

WHOLE, SUM = "hotline.caucus.rows.xǁRowǁwhole__mutmut_", "hotline.caucus.rows.x__sum__mutmut_"
SOURCE = Path("hotline/caucus/rows.py")


def noted(folder: Path, codes: dict[str, int | None]) -> Tried:
    """What is made of the module with these exit codes."""
    (folder / SOURCE).parent.mkdir(parents=True, exist_ok=True)
    (folder / SOURCE).write_text(CHANGED, encoding="utf-8")
    (folder / f"{SOURCE}.meta").write_text(json.dumps({"exit_code_by_key": codes}), encoding="utf-8")
    return tried(SOURCE, folder)


def test_survivors_are_told_by_function_and_change(tmp_path: Path) -> None:
    """Also those whose function no test calls, and those that change what an argument is when it is left out."""
    survived = (
        Mutant("rows.Row.whole", "def whole(self, least=0):", "def whole(self, least=1):"),
        Mutant("rows.Row.whole", "return least + 1", "return least - 1"),
        Mutant("rows._sum", "if total > 0:", "if total >= 0:"),
    )
    assert Tried("rows", 0, 0, survived, ()) == noted(tmp_path, {WHOLE + "1": 0, WHOLE + "2": 33, SUM + "1": 0})


def test_a_test_that_fails_or_never_ends_has_noticed(tmp_path: Path) -> None:
    """The two are counted apart, since a machine under load may be slow for other reasons."""
    assert Tried("rows", 2, 1, (), ()) == noted(tmp_path, {WHOLE + "1": 1, WHOLE + "2": 3, SUM + "1": -24})


def test_what_was_not_tried_to_the_end_is_not_settled(tmp_path: Path) -> None:
    """A mutant before its turn, one broken off, one whose tests crashed; and a module that mutmut passed over."""
    codes = {WHOLE + "1": None, WHOLE + "2": 2, SUM + "1": -11}
    open_ones = (f"{WHOLE}1 (None)", f"{WHOLE}2 (2)", f"{SUM}1 (-11)")
    assert Tried("rows", 0, 0, (), open_ones) == noted(tmp_path, codes)
    passed_over = tried(Path("hotline/caucus/other.py"), tmp_path)
    assert Tried("other", 0, 0, (), ("hotline/caucus/other.py",)) == passed_over
    lines, is_settled = report([passed_over], Counter())
    assert "not tried to the end, let `mutmut run` do so: hotline/caucus/other.py" in lines
    assert not is_settled


SURVIVOR = Mutant("rows._sum", "if total > 0:", "if total >= 0:")
ANOTHER = Mutant("rows._sum", "return 1", "return 2")


def test_every_survivor_needs_an_explanation_and_every_explanation_a_survivor() -> None:
    """Settled only when the two lists are the same, twice what is there twice; else each that is over is told."""
    lines, is_settled = report([Tried("rows", 3, 1, (SURVIVOR, ANOTHER), ())], Counter([ANOTHER, SURVIVOR]))
    assert is_settled
    assert [line.split() for line in lines[1:]] == [[name, "6", "3", "1", "2", "2"] for name in ("rows", "all")]

    lines, is_settled = report([Tried("rows", 0, 0, (SURVIVOR, SURVIVOR), ())], Counter([ANOTHER, SURVIVOR]))
    assert not is_settled
    assert lines[3:] == [
        "survives unexplained: rows._sum\n  - if total > 0:\n  + if total >= 0:",
        "explained, but no survivor: rows._sum\n  - return 1\n  + return 2",
    ]
