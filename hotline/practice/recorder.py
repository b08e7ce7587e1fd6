"""Writes a practice call as data, in the form the tests play: see `tests/calls`. PINs are never written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from hotline.practice.interpreter import CallLog, Entry

_PIN = re.compile(r"[0-9]{8}#?", re.ASCII)
_CORRECTION = re.compile(r"[0-9]{4}#?", re.ASCII)


def as_call_file(log: CallLog, number: str) -> str:
    """The call as TOML: who called, and at each question what was heard and what was pressed.

    A PIN becomes `{pin}` and a correction code `{correction}`: whoever plays the file puts in the packet's own. The
    facts kept are for a person to add: the phone does not see the ledger.
    """
    lines = [
        'about = "Recorded by the practice phone."',
        "",
        "[phones]",
        f"a = {_quoted(number)}",
        "",
    ]
    for heard, keyed in _questions(log):
        lines += ["[[turn]]", f"heard = [{', '.join(map(_quoted, heard))}]"]
        lines += [f"keys = {_quoted(keyed)}"] if keyed is not None else []
        lines.append("")
    return "\n".join(lines)


def _questions(log: CallLog) -> Iterator[tuple[list[str], str | None]]:
    """What was heard before each entry, and the entry; last, what was heard before the end."""
    heard: list[str] = []
    for entry in log.transcript:
        if entry.kind == "heard":
            heard.append(entry.text)
        else:
            yield heard, _entry(entry, heard, log)
            heard = []


def _entry(entry: Entry, heard: list[str], log: CallLog) -> str | None:
    """The entry as the players read it. A call the line ended has no last entry."""
    if entry.kind == "ended":
        return "!" if log.ended == "caller hung up" else None
    if not entry.text:
        return "-"
    if _PIN.fullmatch(entry.text):
        return "{pin}"
    if _CORRECTION.fullmatch(entry.text) and "correction code" in " ".join(heard).lower():
        return "{correction}"
    return entry.text if entry.text.endswith("#") else entry.text + ","


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are among TOML's."""
    return json.dumps(text, ensure_ascii=False)
