"""What a caller heard, read back out of the document the carrier was given: for people who look at a call."""

from __future__ import annotations

from xml.etree import ElementTree

_ENDS = {"Hangup": "(the line hung up)", "Reject": "(a busy line)", "Dial": "(put through to staff)"}


def words_of(document: str) -> str:
    """The spoken words of one of our own documents, in order, and how it ended the call if it did."""
    root = ElementTree.fromstring(document)  # noqa: S314 - we wrote it ourselves
    said = [node.text or "" if node.tag == "Say" else _ENDS.get(node.tag, "") for node in root.iter()]
    return " ".join(part for part in said if part)
