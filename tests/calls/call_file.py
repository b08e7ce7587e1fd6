"""Whole calls as data: the form of `*.call.toml`, how one is read and how it is played.

A file says who calls, what is heard and pressed at each question, and what the ledger holds afterwards. It is played
through the real application and a real ledger by the practice carrier. `hotline phone --record FILE` writes this form.

    about = "Two phones at once: the newer one owns the report."     # one sentence, required
    contest = "iowa-2020"                                           # the default

    [phones]                        # whose phone; the first one is meant where a turn names none. Default: a, as here
    a = "+15155550100"              # sent as From: E.164, "anonymous", …
    b = "+15155550101"

    [on_file]                       # numbers on file before the first ring, and the precincts they report for
    "+15155550101" = ["00018"]

    [called_back]                   # phones the line calls, by the precinct whose call-back is due when they first turn
    c = "00018"                     # up; their number must be on file for it

    [[turn]]                        # one question, in the order things happen; a phone's first turn is its ring
    phone = "a"
    heard = ["precinct code"]       # each must be in what was heard since this phone's last keys, in this order,
                                    # whatever the case of letters
    not_heard = ["Recorded"]        # none of these may be
    keys = "00018"                  # as one entry of --keys: the pound is added; "42," no pound; "-" silence; "!" hangs
                                    # up; "#" the pound alone

    [[turn]]
    keys = "{pin}"                  # the PIN of the packet whose code this phone keyed last; {correction} its
                                    # correction code; {challenge} the three digits just heard; {pin 00018} the PIN of
                                    # the packet named, whatever was keyed

    [[turn]]
    heard = ["Recorded"]            # no keys: the line must end the call after these words
                                    # a phone whose turns are used up hangs up

    [kept]                          # what the ledger holds when every phone is down
    events = [                      # these events, in this order, others may stand between; a kind alone, or with
      "ChairSignedIn",              # the fields that matter
      {kind = "HeadcountGiven", count = 42},
    ]
    never = ["PersonCalledFor"]     # no event of these kinds; like events, fields may narrow it

    [[kept.reports]]                # each field given must be so in the newest version of this precinct
    precinct = "00018"
    version = 1
    headcount = 42
    first = {Biden = 20, Warren = 22}    # whole tallies: a preference not named is zero
    final = {Biden = 20, Warren = 22}
    delegates = {Biden = 2, Warren = 3}
    origin = "rule"
    kept = []                       # findings kept
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotline.practice.interpreter import CallLog, Conversation, Pressed
from hotline.practice.players import pressed

FIRST_PHONE = {"a": "+15155550100"}
_FIELDS = {"about", "contest", "phones", "on_file", "called_back", "turn", "kept"}
_TURN_FIELDS = {"phone", "heard", "not_heard", "keys"}
_KEPT_FIELDS = {"events", "never", "reports"}
_PLACEHOLDER = re.compile(r"\{(pin|correction|challenge)(?: ([0-9]{5}))?\}")
_CHALLENGE = re.compile(r"(?<![0-9])([0-9])[ ,]+([0-9])[ ,]+([0-9])(?![ ,]*[0-9])")


@dataclass(frozen=True)
class Turn:
    """One question of one phone."""

    phone: str
    heard: tuple[str, ...]
    not_heard: tuple[str, ...]
    keys: str | None


@dataclass(frozen=True)
class CallFile:
    """One file. `kept` is the table as it stands."""

    about: str
    contest: str
    phones: Mapping[str, str]
    on_file: Mapping[str, Sequence[str]]
    called_back: Mapping[str, str]
    turns: tuple[Turn, ...]
    kept: Mapping[str, Any]


@dataclass(frozen=True)
class Packet:
    """What one precinct's paper packet says."""

    pin: str
    correction: str


def read_call(path: Path) -> CallFile:
    """Read one file; a field nobody knows fails the test rather than being passed over."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    phones = table.get("phones", FIRST_PHONE)
    first = next(iter(phones))
    turns = table.get("turn", [])
    unknown = (set(table) - _FIELDS) | {key for turn in turns for key in turn} - _TURN_FIELDS
    unknown |= set(table.get("kept", {})) - _KEPT_FIELDS
    assert unknown == set(), f"{path.name}: unknown fields"
    return CallFile(
        about=table["about"],
        contest=table.get("contest", "iowa-2020"),
        phones=phones,
        on_file=table.get("on_file", {}),
        called_back=table.get("called_back", {}),
        turns=tuple(_turn(turn, first) for turn in turns),
        kept=table.get("kept", {}),
    )


def play(call: CallFile, ring: Callable[[str, str], Conversation], packet: Callable[[str], Packet]) -> None:
    """Play every turn in the file's order. `ring(phone, number)` begins a call, `packet(code)` is what is on paper."""
    phones: dict[str, _Phone] = {}
    for position, turn in enumerate(call.turns, start=1):
        if turn.phone not in phones:
            phones[turn.phone] = _Phone(ring(turn.phone, call.phones[turn.phone]), packet)
        phones[turn.phone].take(turn, f"turn {position} ({turn.phone})")
    for phone in phones.values():
        phone.hang_up()


class _Phone:
    """One call under way: what was just heard, and the log once it is over."""

    def __init__(self, talk: Conversation, packet: Callable[[str], Packet]) -> None:
        self.talk, self.packet, self.code, self.log = talk, packet, "", None
        self.heard = ""
        self._proceed(lambda: next(talk))

    log: CallLog | None

    def take(self, turn: Turn, where: str) -> None:
        """Hear, check, press."""
        _check_heard(turn, self.heard, where)
        if turn.keys is None:
            assert self.log is not None, f"{where}: the line must have ended the call after {self.heard!r}"
            return
        assert self.log is None, f"{where}: the call is over ({self.log and self.log.ended}); heard {self.heard!r}"
        self._press(pressed(self._filled(turn.keys)))

    def hang_up(self) -> None:
        """Put the phone down where the line has not."""
        if self.log is None:
            self._press(None)
        assert self.log is not None
        assert self.log.errors == (), f"the carrier could not run what the line answered: {self.log.errors}"

    def _press(self, keys: Pressed) -> None:
        if isinstance(keys, str) and re.fullmatch(r"[0-9]{5}#?", keys):
            self.code = keys[:5]
        self._proceed(lambda: self.talk.send(keys))

    def _proceed(self, go_on: Callable[[], str]) -> None:
        try:
            self.heard = go_on()
        except StopIteration as over:
            self.log = over.value
            self.heard = over.value.last_heard

    def _filled(self, keys: str) -> str:
        def fill(match: re.Match[str]) -> str:
            name, code = match.groups()
            if name == "challenge":
                digits = _CHALLENGE.search(self.heard)
                assert digits, f"no three digits were heard in {self.heard!r}"
                return "".join(digits.groups())
            on_paper: str = getattr(self.packet(code or self.code), name)
            return on_paper

        return _PLACEHOLDER.sub(fill, keys)


def _check_heard(turn: Turn, heard: str, where: str) -> None:
    """Every piece, in order; none of those that must not be."""
    lowered, start = heard.lower(), 0
    for piece in turn.heard:
        found = lowered.find(piece.lower(), start)
        assert found >= 0, f"{where}: {piece!r} was not heard (in this order) in {heard!r}"
        start = found + len(piece)
    for piece in turn.not_heard:
        assert piece.lower() not in lowered, f"{where}: {piece!r} was heard in {heard!r}"


def _turn(table: Mapping[str, Any], first: str) -> Turn:
    heard, not_heard = tuple(table.get("heard", ())), tuple(table.get("not_heard", ()))
    return Turn(table.get("phone", first), heard, not_heard, table.get("keys"))


Kept = tuple[str, Mapping[str, Any]]


def check_kept(call: CallFile, kept: Sequence[Kept]) -> None:
    """Compare what the ledger holds, as (kind, body) in order, with what the file says."""
    remaining = iter(kept)
    for wanted in map(_wanted, call.kept.get("events", ())):
        assert any(_fits(event, wanted) for event in remaining), f"{wanted} is not (in this order) among {list(kept)}"
    for unwanted in map(_wanted, call.kept.get("never", ())):
        assert [] == [event for event in kept if _fits(event, unwanted)]
    for report in call.kept.get("reports", ()):
        assert _report(report) == _newest(report, kept)


def _wanted(entry: str | Mapping[str, Any]) -> Kept:
    if isinstance(entry, str):
        return entry, {}
    return entry["kind"], {name: value for name, value in entry.items() if name != "kind"}


def _fits(event: Kept, wanted: Kept) -> bool:
    kind, body = event
    return kind == wanted[0] and all(_plain(body.get(name)) == _plain(value) for name, value in wanted[1].items())


def _newest(report: Mapping[str, Any], kept: Sequence[Kept]) -> Mapping[str, Any]:
    """The fields the file asks about, of the newest version of its precinct."""
    versions = [body for kind, body in kept if kind == "ReportConfirmed" and body["precinct"] == report["precinct"]]
    assert versions, f"no report was confirmed for {report['precinct']}"
    newest = max(versions, key=lambda body: body["version"])
    return _report({name: newest[name] for name in report})


def _report(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in fields.items()}


def _plain(value: Any) -> Any:
    """Tallies without their zeros, lists as lists."""
    if isinstance(value, Mapping):
        return {name: count for name, count in value.items() if count}
    return list(value) if isinstance(value, tuple) else value


def call_files() -> Iterator[Path]:
    """Every call kept here."""
    yield from sorted(Path(__file__).parent.glob("*.call.toml"))
