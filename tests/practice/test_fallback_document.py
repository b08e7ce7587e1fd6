"""The document the carrier runs when the line is away: it has to work without any of our code."""

from __future__ import annotations

from hotline.practice.document import Answer, parsed, words_of
from hotline.settings import config_folder


def test_fallback_runs_as_the_carrier_runs_it() -> None:
    """A sentence, a person, and when nobody is free what to do: nobody hears silence."""
    body = (config_folder() / "deploy" / "fallback.xml").read_text("utf-8")
    document = parsed(Answer(200, "text/xml", body))
    assert [verb.tag for verb in document] == ["Say", "Dial", "Say", "Hangup"]
    first, last = (words_of(verb)[0] for verb in document.iter("Say"))
    assert "is kept" in first
    assert "call again in ten minutes" in last
