"""A chair in conversation with the dialog itself: no carrier, no store, the session through JSON between turns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hotline.caucus.contest import Contest
from hotline.caucus.worksheet import Worksheet
from hotline.clock import seeded
from hotline.dialog import draft as drafts
from hotline.dialog import machine
from hotline.dialog.facts import Facts, HalfGiven, Heard, Inquiry, NumberWanted, PinCheck
from hotline.dialog.machine import Opening, Turn
from hotline.dialog.script import Script
from hotline.dialog.session import Session
from hotline.events.kinds import ReportConfirmed, kind_of
from hotline.events.standing import PrecinctStanding
from hotline.practice import habits
from hotline.practice.answers import answer
from hotline.practice.chairs import Chair, Errand, headcount
from hotline.practice.habits import Habits
from hotline.practice.listening import Ear
from hotline.telephony.speech import Prompts, spoken

MOST_CALLS, MOST_TURNS = 8, 200


@dataclass
class Room:
    """The other end of the line: who reported what so far, and every kind of event that happened."""

    script: Script
    prompts: Prompts
    pins: Mapping[str, str]
    on_file: tuple[str, ...] = ()
    filed: dict[str, ReportConfirmed] = field(default_factory=dict)
    half: dict[str, HalfGiven] = field(default_factory=dict)
    events: Counter[str] = field(default_factory=Counter)
    heard: list[str] = field(default_factory=list)
    calls: int = 0

    def facts(self, inquiry: Inquiry | None) -> Facts:
        """What the store would find out."""
        if isinstance(inquiry, PinCheck):
            if self.pins.get(inquiry.precinct) != inquiry.pin:
                return Facts(sign_in="refused", refusal="wrong-pin")
            filed = self.filed.get(inquiry.precinct)
            standing = PrecinctStanding(inquiry.precinct, ((1, filed),) if filed else ())
            return Facts(sign_in="accepted", standing=standing, half_given=self.half.get(inquiry.precinct))
        if isinstance(inquiry, NumberWanted):
            return Facts(version=1, confirmation=f"{inquiry.precinct}0")
        assert inquiry is None, inquiry
        return Facts()

    def note(self, turn: Turn) -> None:
        """What the ledger would keep."""
        session = turn.session
        for event in turn.events:
            self.events[kind_of(event)] += 1
            if isinstance(event, ReportConfirmed):
                self.filed[event.precinct] = event
                self.half.pop(event.precinct, None)
        if session.precinct and session.draft:
            self.half[session.precinct] = HalfGiven(session.call, drafts.to_json(session.draft))

    def talk(self, chair: Chair) -> None:
        """One call, until either side ends it."""
        self.calls += 1
        chair.picks_up()
        turn = machine.open_call(Opening(f"CA{self.calls}", self.on_file), self.script)
        for _ in range(MOST_TURNS):
            said = " ".join(" ".join(spoken(turn.reply, self.prompts)).split())
            self.heard.append(said)
            press = answer(chair, said) if turn.reply.then == "listen" else None
            if press is None:
                return
            heard = Heard(press.keys.removesuffix("#"), not press.keys.endswith("#"))
            session = Session.from_json(json.loads(json.dumps(turn.session.to_json())))
            turn = machine.step(session, heard, self.facts(machine.inquire(session, heard)), self.script)
            self.note(turn)
        raise AssertionError(f"the call does not end: {self.heard[-3:]}")

    def see_through(self, chair: Chair) -> None:
        """As many calls as the chair needs."""
        for _ in range(MOST_CALLS):
            self.talk(chair)
            if chair.is_done:
                return
        raise AssertionError(f"{chair.errand.code} was never confirmed: {self.heard[-3:]}")


def ear_for(prompts: Prompts, contest: Contest) -> Ear:
    """An ear for the English of these prompts."""
    return Ear(prompts["en"].texts, [each.spoken for each in contest.preferences])


def errand(contest: Contest, code: str, sheet: Worksheet, habit: Habits | None = None, seed: int = 1) -> Errand:
    """A report to phone in, with these habits or those the seed draws."""
    drawn = habit or habits.draw(seeded(seed, "chair", code), sheet)
    return Errand(code, f"{int(code):08}", contest.precincts[code].spoken, sheet, headcount(sheet), drawn)


def room_for(script: Script, prompts: Prompts, *errands: Errand, on_file: tuple[str, ...] = ()) -> Room:
    """A line that knows these errands' PINs."""
    return Room(script, prompts, {each.code: each.pin for each in errands}, on_file)


def as_filed(given: Errand) -> tuple[int, dict[str, int], dict[str, int], dict[str, int]]:
    """What the ledger must hold of an errand, zeros left out."""
    parts = (given.sheet.first, given.sheet.final, given.sheet.delegates)
    some = [{group: count for group, count in part.items() if count} for part in parts]
    return given.headcount, some[0], some[1], some[2]


def filed(report: ReportConfirmed) -> tuple[int, dict[str, int], dict[str, int], dict[str, int]]:
    """What it does hold."""
    return report.headcount, dict(report.first), dict(report.final), dict(report.delegates)
