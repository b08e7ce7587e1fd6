"""Prompt files are read once, checked at the start, and spoken with their values."""

import pytest

from hotline.dialog.reply import Reply, Words
from hotline.errors import SetupError
from hotline.telephony.speech import read_prompts, seconds, spoken


def prompts_of(folder, **files):
    for language, content in files.items():
        (folder / f"{language}.toml").write_text(content, encoding="utf-8")
    return read_prompts(folder)


def test_a_reply_is_spoken_in_order_with_its_values(tmp_path):
    """Dotted and nested names are the same; Spanish falls back to English word by word."""
    prompts = prompts_of(tmp_path, en='"a.b" = "Total {n}."\n[c]\nd = "Bye."', es='"a.b" = "Suma {n}."')
    reply = Reply((Words("a.b", {"n": 7}), Words("c.d")), None, "hang-up", "es")
    assert ["Suma 7.", "Bye."] == spoken(reply, prompts)


@pytest.mark.parametrize(
    ("files", "problem"),
    [({}, "no en.toml"), ({"en": "a = "}, "en.toml"), ({"en": "a = 1"}, "a must be text"), ({"es": ""}, "no en.toml")],
)
def test_a_broken_prompt_file_stops_the_start(tmp_path, files, problem):
    """The message names the file and the prompt."""
    with pytest.raises(SetupError, match=problem):
        prompts_of(tmp_path, **files)


@pytest.mark.parametrize(
    ("es", "problem"),
    [
        ('b = "Suma."', "es.toml: b is not a prompt of en.toml"),
        ('a = "Suma {m}."', "es.toml: a has no value m"),
        ('a = "Suma {n}."', "es.toml: code-other-language is missing"),
    ],
)
def test_a_translation_that_could_not_be_spoken_stops_the_start(tmp_path, es, problem):
    """A slip of the translator's must not be found out in the middle of a chair's call."""
    english = 'a = "Total {n}."\ncode-other-language = "English?"'
    with pytest.raises(SetupError, match=problem):
        prompts_of(tmp_path, en=english, es=es)


def test_english_is_first_whatever_else_there_is(tmp_path):
    """Calls begin in the first language, and 9# goes through the others by name."""
    assert ["en", "am", "es"] == list(prompts_of(tmp_path, es="", am="", en=""))


def test_a_prompt_that_nobody_wrote_is_our_bug(tmp_path):
    """It rises; the caller hears the apology."""
    with pytest.raises(KeyError):
        spoken(Reply((Words("missing"),), None, "hang-up"), prompts_of(tmp_path, en=""))


def test_ten_words_take_about_four_seconds():
    """A clear voice reads 150 words a minute."""
    assert 4.3 == pytest.approx(seconds("one two three four five six seven eight nine ten"))
    assert 0.0 == seconds("")
