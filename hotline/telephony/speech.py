"""The words of the line: prompt files read once, and a reply turned into sentences to speak."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

from hotline.dialog.reply import Reply, Words
from hotline.errors import SetupError

WORDS_PER_MINUTE = 150
"""How fast a clear synthetic voice reads; estimates of call length err on the slow side."""

FIRST_LANGUAGE = "en"
OFFERS = ("code-other-language", "challenge-other-language")
"""Prompts a language offers itself by: there is no speaking them in another."""
_UNSPEAKABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Phrases:
    """One language: how the carrier's voice speaks it, and its texts by prompt name, with {placeholders}."""

    language: str
    locale: str
    voice: str
    texts: Mapping[str, str]


Prompts = Mapping[str, Phrases]
"""Phrases by language code; English is always there, and first."""


def read_prompts(folder: Path) -> Prompts:
    """Every `<language>.toml` of the folder, English first, then by name.

    `locale` and `voice` say how a language is spoken; other names are prompts. Raises `SetupError` where a translation
    could not be spoken.
    """
    paths = sorted(folder.glob("*.toml"), key=lambda path: (path.stem != FIRST_LANGUAGE, path.stem))
    prompts = {path.stem: _phrases(path) for path in paths}
    if FIRST_LANGUAGE not in prompts:
        raise SetupError(f"{folder}: there is no {FIRST_LANGUAGE}.toml; the line has nothing to say")
    for translation in prompts.values():
        _check(translation, prompts[FIRST_LANGUAGE].texts, folder)
    return prompts


def spoken(reply: Reply, prompts: Prompts) -> list[str]:
    """The sentences of a reply, in order."""
    return [sentence for _, sentence in voiced(reply, prompts)]


def voiced(reply: Reply, prompts: Prompts) -> list[tuple[Phrases, str]]:
    """The sentences of a reply in order, each with the language whose voice reads it.

    That is the caller's language unless the words carry their own; a prompt not yet translated is spoken in English.
    """
    return [_voiced(words, words.language or reply.language, prompts) for words in reply.words]


def text(words: Words, language: str, prompts: Prompts) -> str:
    """One prompt with its values filled in, free of characters no document may carry."""
    return _voiced(words, language, prompts)[1]


def phrases(prompts: Prompts, language: str) -> Phrases:
    """The phrases of a language, English when there are none."""
    return prompts.get(language) or prompts[FIRST_LANGUAGE]


def seconds(text: str) -> float:
    """How long a voice takes to read the text, roughly: words per minute, and a breath at each full stop."""
    return len(text.split()) * 60 / WORDS_PER_MINUTE + 0.3 * (text.count(". ") + 1) if text else 0.0


def placeholders(template: str) -> set[str]:
    """The names of the values a text takes."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _voiced(words: Words, language: str, prompts: Prompts) -> tuple[Phrases, str]:
    voice = phrases(prompts, language)
    if not voice.texts.get(words.prompt):
        voice = prompts[FIRST_LANGUAGE]
    filled = voice.texts[words.prompt].format_map(words.values)
    return voice, _UNSPEAKABLE.sub("", filled) if _UNSPEAKABLE.search(filled) else filled


def _check(translation: Phrases, first: Mapping[str, str], folder: Path) -> None:
    """A name nobody speaks, a value nobody gives and a language that cannot offer itself are slips of its writer."""
    where = f"{folder}/{translation.language}.toml"
    for prompt, template in translation.texts.items():
        if prompt not in first:
            raise SetupError(f"{where}: {prompt} is not a prompt of {FIRST_LANGUAGE}.toml")
        unknown = placeholders(template) - placeholders(first[prompt])
        if unknown:
            raise SetupError(f"{where}: {prompt} has no value {', '.join(sorted(unknown))}")
    for prompt in OFFERS:
        if prompt in first and prompt not in translation.texts:
            raise SetupError(f"{where}: {prompt} is missing, so nobody could be offered this language")


def _phrases(path: Path) -> Phrases:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as broken:
        raise SetupError(f"{path}: {broken}") from broken
    texts = dict(_flat(table, "", path))
    locale = texts.pop("locale", "en-US")
    return Phrases(path.stem, locale, texts.pop("voice", "Polly.Joanna-Neural"), texts)


def _flat(table: Mapping[str, Any], prefix: str, path: Path) -> Iterator[tuple[str, str]]:
    """Names and texts; a table inside a table reads as a dotted name."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.", path)
        elif isinstance(value, str):
            yield prefix + name, value
        else:
            raise SetupError(f"{path}: {prefix}{name} must be text")
