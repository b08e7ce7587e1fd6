"""What the line answered, as the carrier reads it: a document to run, or the carrier's error code."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

from hotline.telephony.speech import seconds as spoken_seconds

LARGEST = 64 * 1024
RUN_AS_TWIML = ("text/xml", "application/xml", "text/html")


@dataclass(frozen=True)
class Answer:
    """What the line answered to one request."""

    status: int
    content_type: str
    body: str


class Failed(Exception):
    """The carrier cannot run an answer; the argument is its error code."""


def parsed(answer: Answer) -> ElementTree.Element:
    """The document of an answer; `Failed` when it is not one. Plain text is read aloud, then the call ends."""
    if not 200 <= answer.status < 300:
        raise Failed("11200")
    if len(answer.body.encode()) > LARGEST:
        raise Failed("11750")
    kind = answer.content_type.partition(";")[0].strip().lower()
    if kind == "text/plain":
        root = ElementTree.Element("Response")
        ElementTree.SubElement(root, "Say").text = answer.body
        return root
    if kind not in RUN_AS_TWIML:
        raise Failed("12300")
    if "<!DOCTYPE" in answer.body:
        raise Failed("12100")
    try:
        root = ElementTree.fromstring(answer.body)  # noqa: S314 - no DOCTYPE, and its size is bounded
    except ElementTree.ParseError as broken:
        raise Failed("12100") from broken
    if root.tag != "Response":
        raise Failed("12100")
    return root


def words_of(verb: ElementTree.Element) -> tuple[str, float]:
    """What a Say, Play or Pause lets the caller hear, and for how many seconds."""
    if verb.tag == "Say":
        words = " ".join("".join(verb.itertext()).split())
        return words, spoken_seconds(words)
    if verb.tag == "Play":
        return f"(plays {verb.text or verb.get('digits', '')})", 2.0
    return "", float(verb.get("length", "1")) if verb.tag == "Pause" else 0.0
