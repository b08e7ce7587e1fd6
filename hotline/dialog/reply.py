"""What the caller hears and what may be keyed after it, as data.

Words stand in `config/prompts`, TwiML in `telephony`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Listen = Literal["key", "digits", "again", "challenge"]
"""How long the line waits between keys: 3 s at one-key questions (`key`), 8 s at counts, codes and PINs (`digits`).

For the first key it waits 15 s, and 12 s where a stranger is asked for the code a second time (`again`): 40 s from the
answer are all there are. At the `challenge`, 8 s are all there is, for the first key too.
"""

Next = Literal["listen", "hang-up", "person"]
"""What follows the words: an answer is awaited, the call ends, or the caller goes to a person."""


@dataclass(frozen=True)
class Words:
    """One spoken piece: a prompt's name and the values its text takes.

    `language` is "" for the reply's own; only what offers another language is spoken in that one.
    """

    prompt: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    language: str = ""


@dataclass(frozen=True)
class Reply:
    """Everything one turn says, in order. `listen` is None exactly when `then` is not "listen"."""

    words: tuple[Words, ...]
    listen: Listen | None
    then: Next = "listen"
    language: str = "en"
