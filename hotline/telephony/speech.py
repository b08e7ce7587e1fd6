"""The words of the line: prompt files read once, and a reply turned into sentences to speak."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotline.dialog.reply import Reply, Words
from hotline.errors import SetupError

WORDS_PER_MINUTE = 150
"""How fast a clear synthetic voice reads; estimates of call length err on the slow side."""

FIRST_LANGUAGE = "en"
_UNSPEAKABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Phrases:
    """One language: how the carrier's voice speaks it, and its texts by prompt name, with {placeholders}."""

    language: str
    locale: str
    voice: str
    texts: Mapping[str, str]


Prompts = Mapping[str, Phrases]
"""Phrases by language code; English is always there."""


def read_prompts(folder: Path) -> Prompts:
    """Every `<language>.toml` of the folder. `locale` and `voice` say how it is spoken; other names are prompts."""
    prompts = {path.stem: _phrases(path) for path in sorted(folder.glob("*.toml"))}
    if FIRST_LANGUAGE not in prompts:
        raise SetupError(f"{folder}: there is no {FIRST_LANGUAGE}.toml; the line has nothing to say")
    return prompts


def spoken(reply: Reply, prompts: Prompts) -> list[str]:
    """The sentences of a reply in the caller's language, in order; a prompt not yet translated is spoken in English."""
    return [text(words, reply.language, prompts) for words in reply.words]


def text(words: Words, language: str, prompts: Prompts) -> str:
    """One prompt with its values filled in, free of characters no document may carry."""
    texts = phrases(prompts, language).texts
    template = texts.get(words.prompt) or prompts[FIRST_LANGUAGE].texts[words.prompt]
    filled = template.format_map(words.values)
    return _UNSPEAKABLE.sub("", filled) if _UNSPEAKABLE.search(filled) else filled


def phrases(prompts: Prompts, language: str) -> Phrases:
    """The phrases of a language, English when there are none."""
    return prompts.get(language) or prompts[FIRST_LANGUAGE]


def seconds(text: str) -> float:
    """How long a voice takes to read the text, roughly: words per minute, and a breath at each full stop."""
    return len(text.split()) * 60 / WORDS_PER_MINUTE + 0.3 * (text.count(". ") + 1) if text else 0.0


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
