"""What the dialog says can be said: every prompt has a text with exactly its values, and no text is left over."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from hotline.caucus.checks import CHECKS
from hotline.caucus.worksheet import Finding
from hotline.dialog import findings
from hotline.dialog.reply import Words
from hotline.dialog.script import Script
from hotline.telephony.speech import placeholders as values_of
from hotline.telephony.speech import read_prompts, seconds
from hotline.telephony.twiml import FIRST_KEY
from tests.dialog.calling import CONTEST, SCRIPT, Line

ROOT = Path(__file__).parents[2]
PROMPTS = read_prompts(ROOT / "config/prompts")
TEXTS = PROMPTS["en"].texts
LANGUAGES = pytest.mark.parametrize("texts", [each.texts for each in PROMPTS.values()], ids=list(PROMPTS))
HARD = tuple(check.code for check in CHECKS if check.severity == "hard")


def placeholders(prompt: str) -> set[str]:
    return values_of(TEXTS[prompt])


def literals() -> Iterator[str]:
    """Every string written in the product's source."""
    for path in (ROOT / "hotline").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def spoken_by_source() -> Iterator[tuple[str, set[str] | None]]:
    """Each `Words("prompt", {"name": …})` written out in the dialog, its values' names when they are written there."""
    for path in (ROOT / "hotline/dialog").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_words = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Words"
            if not is_words or not isinstance(node.args[0], ast.Constant):
                continue
            if len(node.args) == 1:
                yield node.args[0].value, set()
            elif isinstance(node.args[1], ast.Dict):
                yield node.args[0].value, {ast.literal_eval(key) for key in node.args[1].keys if key}
            else:
                yield node.args[0].value, None


def test_every_prompt_written_in_the_dialog_has_a_text_with_exactly_its_values() -> None:
    """A missing text or a value too few would be silence on a chair's phone."""
    written = list(spoken_by_source())
    assert len(written) > 50
    for prompt, names in written:
        assert names is None or names == placeholders(prompt), prompt


def test_no_text_is_left_over() -> None:
    """A text nobody speaks is a text nobody checks."""
    assert set() == set(TEXTS) - set(literals())


@pytest.mark.parametrize("code", HARD)
def test_every_broken_rule_can_be_told(code: str) -> None:
    """Each hard check has its words, and they take exactly the finding's numbers."""
    telling = findings.TELLINGS[code]
    assert set(telling.totals) == placeholders(telling.prompt)
    if telling.group_prompt:
        assert {"group", *telling.columns} == placeholders(telling.group_prompt)


def test_a_rule_nobody_has_put_into_words_is_still_told() -> None:
    """A new check must not silence the check's question."""
    told = findings.spoken(Finding("NEW_RULE", "hard", "first", "…", {"first": 3}), SCRIPT)
    assert (Words("finding-unnamed"),) == told


def test_every_language_has_exactly_these_prompts_with_these_values() -> None:
    """What is missing would be spoken in English in the middle of a call; a value too few would be a number unheard."""
    assert len(PROMPTS) > 1
    for each in PROMPTS.values():
        translated = {prompt: values_of(text) for prompt, text in each.texts.items()}
        assert {prompt: values_of(text) for prompt, text in TEXTS.items()} == translated, each.language


@LANGUAGES
@pytest.mark.parametrize(("prompt", "longest"), [("first", 3.0), ("next", 2.0), ("group", 1.5), ("code-again", 4.0)])
def test_what_is_said_most_is_said_quickly(texts: Mapping[str, str], prompt: str, longest: float) -> None:
    """Twenty-eight tallies in three minutes leave no time for long questions."""
    values = dict.fromkeys(placeholders(prompt), "Buttigieg")
    assert seconds(texts[prompt].format_map(values)) <= longest


def test_a_silent_stranger_is_gone_within_40_seconds() -> None:
    """Two questions and the waiting after each, in the line's longest greeting."""
    call = Line(Script(replace(CONTEST, line="Iowa caucus results line"), tuple(PROMPTS))).ring()
    held = seconds(call.said) + FIRST_KEY[call.turn.reply.listen or "digits"]
    call.key("-")
    assert held + seconds(call.said) + FIRST_KEY[call.turn.reply.listen or "digits"] <= 40
    assert call.key("-").turn.reply.then == "hang-up"


@LANGUAGES
def test_texts_have_no_marks_a_voice_stumbles_over(texts: Mapping[str, str]) -> None:
    """No markup, no double blanks, no sentence without its end."""
    for prompt, text in texts.items():
        assert not set(text) & set("<>&*#_"), prompt
        assert "  " not in text, prompt
        assert text == text.strip(), prompt
        assert text[-1] in ".?!", prompt


def test_the_three_versions_of_a_read_back_exist_for_every_section() -> None:
    """Some zero, none zero, all zero."""
    for section, version in product(("first", "final", "delegates"), ("", "-whole", "-zero")):
        assert f"readback-{section}{version}" in TEXTS
