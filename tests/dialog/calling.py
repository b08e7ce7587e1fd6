"""A line without a network: it answers the machine's inquiries, keeps its events, and reloads every session from JSON.

Keys are written as for `hotline phone --keys`: the pound is added; "42," ended by time; "-" silence; "#" pound alone.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import count
from pathlib import Path

from hotline.caucus.codes import with_check_digit
from hotline.caucus.contest import Contest, County, Pool, Precinct, Preference
from hotline.dialog import machine
from hotline.dialog.called_back import CalledBack
from hotline.dialog.draft import Draft, fold
from hotline.dialog.facts import (
    ChallengeWanted,
    CorrectionCheck,
    Facts,
    HalfGiven,
    Heard,
    Inquiry,
    NumberWanted,
    PinCheck,
)
from hotline.dialog.machine import Opening, Turn
from hotline.dialog.reply import Reply
from hotline.dialog.script import Script
from hotline.dialog.session import Session
from hotline.events import standing
from hotline.events.kinds import CallTakenOver, ChairSignedIn, CorrectionOpened, Event, ReportConfirmed
from hotline.events.standing import PrecinctStanding, Recorded
from hotline.telephony.speech import phrases, read_prompts, spoken
from tests.caucus.party_rules import IOWA

GROUPS = ("Biden", "Sanders", "Warren", "Uncommitted")
FOUR, TWO, ONE, SITE, UNKNOWN = (with_check_digit(f"000{n}") for n in range(1, 6))
"""Precincts electing four, two and one delegates; a satellite; a code with a right check digit that is nobody's."""
PIN, CORRECTION = "20202020", "4711"
PROMPTS = read_prompts(Path(__file__).parents[2] / "config/prompts")

CONTEST = Contest(
    name="small",
    title="Small caucuses",
    line="Small results line",
    preferences=tuple(Preference(key, n, key, key, key == "Uncommitted") for n, key in enumerate(GROUPS, 1)),
    precincts={
        FOUR: Precinct(FOUR, "Polk", "FOUR", "Fourth Ward", 4),
        TWO: Precinct(TWO, "Polk", "TWO", "Second Ward", 2),
        ONE: Precinct(ONE, "Polk", "ONE", "First Ward", 1),
        SITE: Precinct(SITE, "CD1", "SITE", "The Library", None),
    },
    counties={"Polk": County("Polk", 7, Fraction(3))},
    pools={"CD1": Pool("CD1", Fraction(6), "First District satellites")},
    rules=IOWA,
)
SCRIPT = Script(CONTEST)


def heard(keys: str) -> Heard:
    """What the carrier sends for keys written as above."""
    if keys == "-":
        return Heard("", timed_out=True)
    if keys == "#":
        return Heard("")
    return Heard(keys.removesuffix(","), timed_out=keys.endswith(","))


def in_words(reply: Reply) -> str:
    """A reply as it is spoken; fails when a prompt is missing or its values do not fit."""
    assert all(words.prompt in phrases(PROMPTS, words.language or reply.language).texts for words in reply.words)
    return " ".join(spoken(reply, PROMPTS))


class Line:
    """The ledger and the gatekeeper in one: sessions as JSON, events in order, who holds which half-given report."""

    def __init__(self, script: Script = SCRIPT) -> None:
        self.script = script
        self.doubts: dict[str, bool] = {}
        """What comes with an accepted sign-in."""
        self.gate: Facts | None = None
        """What a sign-in is told instead of being judged."""
        self.sessions: dict[str, str] = {}
        self.events: list[tuple[str, Event]] = []
        self.holders: dict[str, str] = {}
        self._calls, self._digits = count(1), count(111)

    def ring(self, on_file: tuple[str, ...] = (), challenge: str | None = None, *, is_slow: bool = False) -> Call:
        """A new call."""
        name = f"CA{next(self._calls)}"
        return Call(self, machine.open_call(Opening(name, on_file, challenge, is_slow), self.script))

    def call_back(self, about: CalledBack) -> Call:
        """The line calls a number on file, and somebody or something picks up."""
        name = f"CA{next(self._calls)}"
        return Call(self, machine.open_call(Opening(name, about=about), self.script))

    def facts(self, session: Session, inquiry: Inquiry | None) -> Facts:
        """What the machine asked for, and whether a newer call has taken the report over."""
        match inquiry:
            case PinCheck() if self.gate:
                return self.gate
            case PinCheck(precinct, pin) if pin == PIN and precinct in self.script.contest.precincts:
                half = self._half(precinct)
                return Facts(sign_in="accepted", standing=self.standing(precinct), half_given=half, **self.doubts)
            case PinCheck(precinct, _):
                known = precinct in self.script.contest.precincts
                return Facts(sign_in="refused", refusal="wrong-pin" if known else "unknown-code")
            case CorrectionCheck(_, code):
                return Facts(correction="accepted" if code == CORRECTION else "refused")
            case NumberWanted(precinct):
                version = self.standing(precinct).next_version
                return Facts(version=version, confirmation=with_check_digit(f"{precinct[1:4]}{version:02}"))
            case ChallengeWanted():
                return Facts(challenge=str(next(self._digits)))
            case None:
                holder = self.holders.get(session.site, session.call)
                return Facts(taken_over=bool(session.precinct) and holder != session.call)

    def standing(self, precinct: str) -> PrecinctStanding:
        """The precinct's confirmed versions."""
        own = [event for _, event in self.events if getattr(event, "precinct", "") == precinct]
        return standing.fold(precinct, [Recorded(n, "", "", precinct, event) for n, event in enumerate(own, 1)])

    def keep(self, turn: Turn) -> None:
        """Commit a turn, its session as JSON."""
        call = turn.session.call
        for event in turn.events:
            self.events.append((call, event))
            if isinstance(event, ChairSignedIn):
                self.holders[event.precinct] = call
            if isinstance(event, ReportConfirmed):
                self.holders.pop(event.precinct)
        self.sessions[call] = json.dumps(turn.session.to_json())

    def folded(self, precinct: str) -> Draft:
        """The precinct's draft, from its events alone."""
        draft, filed = Draft(), None
        for _, event in self.events:
            if getattr(event, "precinct", None) != precinct or isinstance(event, CallTakenOver):
                continue
            if isinstance(event, ReportConfirmed):
                filed = event
            if isinstance(event, CorrectionOpened) and filed:
                filed = _whole(filed)
            draft = fold((event,), filed, draft)
        return draft

    def _half(self, precinct: str) -> HalfGiven | None:
        call = self.holders.get(precinct)
        session = json.loads(self.sessions[call]) if call else {}
        if not call or session.get("precinct") != precinct or not session.get("draft"):
            return None
        return HalfGiven(call, session["draft"])


class Call:
    """One call under way."""

    def __init__(self, line: Line, turn: Turn) -> None:
        self.line, self.turn = line, turn
        line.keep(turn)

    def key(self, *entries: str) -> Call:
        """Answer one question after the other."""
        for keys in entries:
            session = Session.from_json(json.loads(self.line.sessions[self.turn.session.call]))
            assert session == self.turn.session
            inquiry = machine.inquire(session, heard(keys))
            facts = self.line.facts(session, inquiry)
            self.turn = machine.step(session, heard(keys), facts, self.line.script)
            self.line.keep(self.turn)
        return self

    def report(self, precinct: str = FOUR) -> Call:
        """Sign in and begin to report: the headcount is asked next."""
        return self.key(precinct, PIN, "1")

    @property
    def session(self) -> Session:
        """The session after the last answer."""
        return self.turn.session

    @property
    def state(self) -> str:
        """The question that is up."""
        return self.turn.session.state

    @property
    def said(self) -> str:
        """What the last answer was answered with."""
        return in_words(self.turn.reply)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The names of the prompts last spoken."""
        return tuple(words.prompt for words in self.turn.reply.words)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened in this call."""
        return tuple(event for call, event in self.line.events if call == self.session.call)


def _whole(report: ReportConfirmed) -> ReportConfirmed:
    tallies = {
        section: {group: getattr(report, section).get(group, 0) for group in GROUPS}
        for section in ("first", "final", "delegates")
    }
    return ReportConfirmed(**{**vars(report), **tallies})
