"""One simulated night: every ring judged, every call before the PIN through the dialog, in the order of time.

Left out, because it changes no decision: the questions of a report (a drawn time instead), texts, what is said in a
call-back. A person takes a caller when one of `STAFF` is free; who waits too long is promised a call-back. Where
nothing is screened, every number is met as one on file is, no PIN goes unjudged, and there are staff for all.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from hotline.caucus.contest import Hours
from hotline.dialog.facts import Facts, PinCheck
from hotline.events.kinds import ChairSignedIn, ChallengeFailed, ChallengePassed, Event, SignInFailed
from hotline.events.verification import CallBackRequested
from hotline.practice.simulated.alarm import Alarm
from hotline.practice.simulated.assumed import CAPACITY, STAFF
from hotline.practice.simulated.history import DAY, HOUR, History, Ringing, Tried, instant
from hotline.practice.simulated.live import Live, Standing
from hotline.practice.simulated.people import Caller, Plan
from hotline.practice.simulated.sign_ins import SignIns
from hotline.practice.simulated.talk import Dialog, Place, answer
from hotline.practice.simulated.tally import Tally
from hotline.screening.hours import is_outside
from hotline.screening.policy import judge
from hotline.screening.policy_file import Policy
from hotline.screening.score import keeps_losing
from hotline.screening.signals import Conditions, Recent
from hotline.screening.verdict import Verdict
from hotline.store.callers import HUNG_UP_SECONDS

HOURS = Hours(instant(0.0), instant(2 * HOUR))
"""Doors open as the night begins; two hours later a caucus is over."""
UNHEARD = 2
"""Questions in a row without an answer that are dead air."""
MESSAGE, WAIT = 10.0, 180.0
"""Seconds a caller hears that the line is full, and waits for a person at most."""
ADMITTED = Verdict("admit", "unknown")


class Night:
    """The line for one night; guards its clock, its calls and what it remembers."""

    def __init__(
        self,
        crowd: Sequence[Caller],
        pins: Mapping[str, str],
        dialog: Dialog,
        policy: Policy,
        *,
        is_screened: bool = True,
    ) -> None:
        self._crowd, self._dialog, self._policy, self._is_screened = crowd, dialog, policy, is_screened
        self._anybody = tuple(sorted(pins)[:2])
        self._history, self._alarm, self._tally = History(policy.pins), Alarm(policy), Tally()
        self._sign_ins = SignIns(self._history, pins, policy.pins)
        self._standings = [Standing() for _ in crowd]
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order, self._rings, self._now = 0, 0, 0.0
        self._live: Counter[str] = Counter()
        self._live_calls, self._live_known = 0, 0
        self._staff_free_at = [-DAY] * STAFF

    def run(self) -> Tally:
        """The whole night, to the last call's end."""
        for index, caller in enumerate(self._crowd):
            for plan in caller.plans[:1] if caller.is_chair else caller.plans:
                self._at(plan.at, self._ring, index, plan)
        while self._due:
            self._now, _, act = heapq.heappop(self._due)
            act()
        for caller, standing in zip(self._crowd, self._standings, strict=True):
            if caller.is_chair:
                self._tally.over(caller, standing.met, standing.outcome)
        return self._tally

    def _at(self, at: float, act: Callable[..., None], *given: object) -> None:
        self._order += 1
        heapq.heappush(self._due, (at, self._order, lambda: act(*given)))

    # A call rings

    def _ring(self, index: int, plan: Plan) -> None:
        caller, standing = self._crowd[index], self._standings[index]
        standing.calls += 1
        self._rings += 1
        verdict = judge(self._recent(caller), self._policy) if self._is_screened else ADMITTED
        tries = plan.tries if standing.reported == 0 else (caller.errands[standing.reported],)
        ringing = Ringing(caller.phone.number, str(self._rings), self._now)
        call = Live(index, plan, ringing, verdict, Place(tries))
        self._tally.ring("chairs" if caller.is_chair else "pranks", verdict)
        standing.met.add(verdict.decision)
        self._count_live(call, 1)
        if self._is_screened:
            self._history.ring(ringing)
        if verdict.decision in ("reject", "message"):
            if verdict.decision == "message" and call.is_doubted and caller.phone.on_file:
                self._call_back(call)
            self._at(self._now + (MESSAGE if verdict.decision == "message" else 0.0), self._end, call)
            return
        call.step = self._dialog.ring(self._on_file(caller), verdict.decision, is_doubted=call.is_doubted)
        self._listen(call)

    def _recent(self, caller: Caller) -> Recent:
        phone = caller.phone
        return Recent(
            at=instant(self._now),
            marks=self._history.marks(phone.number, self._now),
            is_withheld=not phone.number,
            area=phone.area,
            is_on_file=bool(phone.on_file),
            verstat=phone.verstat,
            live=self._live[phone.number] if phone.number else 0,
            is_outside_hours=not phone.keeps_own_hours and is_outside(instant(self._now), (HOURS,), self._policy),
            neighbours=self._history.neighbours(phone.number, self._now),
            conditions=Conditions(
                state=self._alarm.look(self._now),
                live_calls=self._live_calls,
                live_strangers=self._live_calls - self._live_known,
                capacity=CAPACITY,
                staff_busy=100 * sum(free > self._now for free in self._staff_free_at) // STAFF,
            ),
        )

    def _on_file(self, caller: Caller) -> tuple[str, ...]:
        """The precincts the dialog is told of; where nothing is screened every number has some."""
        return caller.phone.on_file if self._is_screened else caller.phone.on_file or self._anybody

    def _count_live(self, call: Live, step: int) -> None:
        self._live[call.ringing.number] += step
        self._live_calls += step
        self._live_known += step * call.is_known

    # A call goes on

    def _listen(self, call: Live) -> None:
        """What the caller does at the question that is up; a call may be lost before that is done."""
        assert call.step is not None
        call.answer = answer(call.plan, call.place, call.step, is_chair=self._crowd[call.caller].is_chair)
        done = self._now + call.answer.after
        lost = call.ringing.at + call.plan.lasts if call.plan.lasts is not None else done
        if call.answer.keys is None or lost < done:
            self._at(min(lost, done), self._end, call)
        else:
            self._at(done, self._take, call)

    def _take(self, call: Live) -> None:
        """Keys arrive: the machine's next step, and what follows from it."""
        assert call.step is not None
        assert call.answer is not None
        heard = call.answer.heard
        inquiry = self._dialog.inquiry(call.step, heard)
        judged = self._judged(call, inquiry) if isinstance(inquiry, PinCheck) else None
        call.step = self._dialog.take(call.step, heard, inquiry, judged)
        for event in call.step.turn.events:
            self._happened(call, event)
        then = call.step.turn.reply.then
        if call.step.turn.session.precinct:
            self._report(call)
        elif then == "person":
            self._person(call)
        elif then == "hang-up":
            self._at(self._now + call.step.words, self._end, call)
        else:
            self._listen(call)

    def _judged(self, call: Live, check: PinCheck) -> Facts:
        number, precinct = call.ringing.number, check.precinct
        is_chair = precinct in self._crowd[call.caller].phone.on_file and not call.is_doubted
        is_right = self._sign_ins.is_right(precinct, check.pin)
        attempt = Tried(number, call.ringing.name, self._now, precinct, check.pin, is_chair, is_right)
        if not self._is_screened:
            return self._sign_ins.evaluate(attempt)
        facts = self._sign_ins.judge(attempt, call.ringing, has_passed=call.has_passed)
        if facts.sign_in == "accepted":
            self._alarm.note("succeeded", self._now)
        elif facts.refusal != "limit" and facts.sign_in == "refused":
            self._alarm.note("failed", self._now)
            if not is_chair:
                self._alarm.stranger_failed(precinct, number or call.ringing.name, self._now)
        return facts

    def _happened(self, call: Live, event: Event) -> None:
        """What the dialog put on record becomes what the number is known by."""
        if not self._is_screened:
            return
        match event:
            case SignInFailed(precinct, reason):
                self._alarm.note("struck", self._now)
                call.ringing.mark("unknown-code" if reason == "unknown-code" else "wrong-pin", self._now, precinct)
            case ChallengePassed():
                call.has_passed = True
                call.ringing.mark("challenge-passed", self._now)
            case ChallengeFailed():
                self._alarm.note("struck", self._now)
                call.ringing.mark("challenge-failed", self._now)
            case ChairSignedIn(precinct):
                call.ringing.mark("signed-in", self._now, precinct)
            case CallBackRequested():
                self._call_back(call)
            case _:
                pass

    # A report, a person, the end

    def _report(self, call: Live) -> None:
        """The worksheet is keyed, to the end or until the call is lost."""
        takes, breaks = self._crowd[call.caller].report_takes, call.plan.breaks_off
        if breaks is not None and breaks < takes:
            self._at(self._now + breaks, self._end, call)
        else:
            self._at(self._now + takes, self._reported, call)

    def _reported(self, call: Live) -> None:
        """One report is recorded; whoever has another goes on with its code."""
        caller, standing = self._crowd[call.caller], self._standings[call.caller]
        standing.reported += 1
        if standing.reported >= len(caller.errands):
            standing.outcome = "by keys"
            self._end(call)
            return
        call.place = Place((caller.errands[standing.reported],))
        call.step = self._dialog.another(() if call.is_doubted else self._on_file(caller))
        self._listen(call)

    def _person(self, call: Live) -> None:
        """Somebody takes the caller as soon as one is free."""
        free_at = heapq.heappop(self._staff_free_at)
        begins = max(self._now, free_at) if self._is_screened else self._now
        if begins - self._now > WAIT:
            heapq.heappush(self._staff_free_at, free_at)
            self._call_back(call)
            self._at(self._now + WAIT, self._end, call)
            return
        heapq.heappush(self._staff_free_at, max(free_at, begins + call.plan.talk))
        self._at(begins + call.plan.talk, self._talked, call)

    def _call_back(self, call: Live) -> None:
        """The number on file is called: a chair need not call again."""
        standing = self._standings[call.caller]
        if standing.outcome == "not at all":
            standing.outcome = "by a call-back"

    def _talked(self, call: Live) -> None:
        """A person took the report, or saw through the prank and, mostly, said so."""
        is_chair = self._crowd[call.caller].is_chair
        self._tally.persons["chairs" if is_chair else "pranks"] += 1
        if is_chair:
            self._standings[call.caller].outcome = "by a person"
        elif call.plan.is_marked:
            call.ringing.mark("abusive", self._now)
        self._end(call)

    def _end(self, call: Live) -> None:
        """The call is over; a chair with a report still to give calls again."""
        caller, standing = self._crowd[call.caller], self._standings[call.caller]
        lasted = self._now - call.ringing.at
        self._count_live(call, -1)
        if call.step is not None and self._is_screened:
            self._mark_end(call, lasted)
            self._call_back_if_lost(call)
        if not caller.is_chair:
            self._tally.prank(caller.kinds[0], call.verdict.decision, lasted)
        elif standing.outcome == "not at all" and standing.calls < len(caller.plans):
            plan = caller.plans[standing.calls]
            self._at(self._now + plan.at, self._ring, call.caller, plan)

    def _call_back_if_lost(self, call: Live) -> None:
        """A number on file that called again and again and never got in is called, as `services/lost_calls` has it."""
        assert call.step is not None
        session, weights = call.step.turn.session, self._policy.features.get("AB-15")
        if weights is None or not session.on_file or session.has_signed_in or session.state == "person":
            return
        marks = self._history.marks(call.ringing.number, self._now)
        if keeps_losing(Recent(instant(self._now), marks), weights):
            self._call_back(call)

    def _mark_end(self, call: Live, lasted: float) -> None:
        """A hang-up, or dead air: as the store reads it off the call's row."""
        assert call.step is not None
        session = call.step.turn.session
        if session.turn == 1 and lasted < HUNG_UP_SECONDS:
            self._alarm.note("struck", self._now)
            call.ringing.mark("hung-up", self._now)
        if session.turn > UNHEARD and not session.precinct and session.strikes >= UNHEARD:
            call.ringing.mark("dead-air", self._now)
