"""How a simulated caller understands the line: the prompts' own texts, turned round into patterns.

A caller knows the questions by name, as the dialog does, and never by their wording, so prompts may be reworded freely.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

_COUNTS = ("count", "total", "threshold", "delegates", "key")
_SPELLED = ("digits", "confirmation")


@dataclass(frozen=True)
class Pattern:
    """One prompt to listen for. `anchor` is its longest fixed piece, looked for first because that costs nothing.

    `fixed` is how many characters of the text are fixed: of two prompts that fit, the one with more is meant.
    """

    anchor: str
    fixed: int
    spoken: re.Pattern[str]


@dataclass(frozen=True)
class Understood:
    """A prompt that was recognised and the values it was spoken with, in all that was `heard` with it."""

    prompt: str
    values: Mapping[str, str]
    heard: str
    ear: Ear

    def also(self, prompt: str) -> Iterator[Understood]:
        """Every time another prompt was spoken in the same breath, in order."""
        return self.ear.find(self.heard, prompt)


class Ear:
    """Recognises prompts of one language; guards the patterns made of them."""

    def __init__(self, texts: Mapping[str, str], groups: Iterable[str]) -> None:
        """`texts` are a language's texts by prompt name, with {placeholders}; `groups` the groups' names as spoken."""
        name = "|".join(map(re.escape, sorted(groups, key=len, reverse=True)))
        forms = {
            **dict.fromkeys(_COUNTS, r"\d+"),
            **dict.fromkeys(_SPELLED, r"\d(?: \d)*"),
            "group": name,
            "groups": rf"(?:{name})(?: \d+)?(?:, (?:{name})(?: \d+)?)*",
        }
        self._patterns = {prompt: _pattern(text, forms) for prompt, text in texts.items()}

    def find(self, heard: str, prompt: str) -> Iterator[Understood]:
        """Every time a prompt was spoken, in order."""
        pattern = self._patterns.get(prompt)
        if pattern is not None and pattern.anchor in heard:
            for match in pattern.spoken.finditer(heard):
                yield Understood(prompt, match.groupdict(), heard, self)

    def last(self, heard: str, prompts: Collection[str]) -> Understood | None:
        """Of these prompts the one that was spoken last, which is the question; None when none was spoken."""
        best = (-1, -1)
        chosen: tuple[str, re.Match[str]] | None = None
        for prompt in prompts:
            pattern = self._patterns.get(prompt)
            if pattern is None or pattern.anchor not in heard:
                continue
            for match in pattern.spoken.finditer(heard):
                if (match.end(), pattern.fixed) > best:
                    best, chosen = (match.end(), pattern.fixed), (prompt, match)
        return Understood(chosen[0], chosen[1].groupdict(), heard, self) if chosen else None


def _pattern(text: str, forms: Mapping[str, str]) -> Pattern:
    """Fixed pieces as they stand, and each value in its form; a value of no known form that ends the text runs on."""
    fixed: list[str] = []
    pieces: list[str] = []
    seen: set[str] = set()
    for literal, name, _, _ in Formatter().parse(" ".join(text.split())):
        fixed.append(literal)
        pieces.append(re.escape(literal))
        if name is not None:
            pieces.append(f"(?P={name})" if name in seen else f"(?P<{name}>{forms.get(name, '.+?')})")
            seen.add(name)
    if pieces and pieces[-1].endswith(".+?)"):
        pieces[-1] = pieces[-1].replace(".+?)", ".+)")
    return Pattern(max(fixed, key=len, default=""), sum(map(len, fixed)), re.compile("".join(pieces)))
