"""Before a PIN is right nobody learns anything: the same words, as many steps, the same work, whatever is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hotline.dialog.values import replace
from hotline.events.kinds import SignInFailed
from hotline.services import intake
from hotline.services.line import Line
from hotline.store.pins import Hashing, Packet, Peppers, Pins
from hotline.telephony.inbound import InboundCall
from tests.counted import counted
from tests.lines import SECRETS, line_on
from tests.quick import QUICK
from tests.services.callers import Caller, sid, spoken
from tests.storms.weather import StormClock

QUIET, CONTESTED, CLOSED, UNKNOWN = "00013", "00021", "00037", "99992"
STRANGER = "+16415550777"


class CountedHasher:
    """A hasher that counts what it verifies."""

    def __init__(self) -> None:
        self.verified = 0

    def hash(self, mixed: str) -> str:
        return QUICK.hasher.hash(mixed)

    def verify(self, kept: str, mixed: str) -> bool:
        self.verified += 1
        return QUICK.hasher.verify(kept, mixed)


class Scene:
    """A line with a quiet precinct, a contested one, and one where strangers' PINs are judged no more."""

    def __init__(self, line: Line) -> None:
        self.hasher, self.calls = CountedHasher(), 0
        hashing = Hashing(self.hasher, QUICK.decoy)
        pins = Pins(line.ledger.engine, line.clock, Peppers(SECRETS["HOTLINE_PEPPER"]), hashing)
        self.line = replace(line, pins=pins)
        self.packets: dict[str, Packet] = {each.precinct: each for each in pins.issue([QUIET, CONTESTED, CLOSED])}
        for code, times in ((CONTESTED, 5), (CLOSED, 10)):
            for _ in range(times):
                self.caller(None, code).key(self.wrong(code))

    def caller(self, number: str | None, code: str) -> Caller:
        """A call that is asked for its PIN."""
        self.calls += 1
        caller = Caller(self.line, sid(self.calls), number)
        caller.ring()
        caller.key(code)
        return caller

    def wrong(self, code: str) -> str:
        pin = self.packets[code].pin if code in self.packets else "12983476"
        return f"{(int(pin) + 70_361_548) % 10**8:08}"

    def right(self, code: str) -> str:
        return self.packets[code].pin

    def heard(self, code: str, pin: str) -> list[str]:
        """Everything a stranger is answered, byte for byte, up to the verdict; the code they keyed left out."""
        self.calls += 1
        caller = Caller(self.line, sid(self.calls), f"+1641555{self.calls:04}")
        said = [caller.ring(), caller.key(code), caller.key(pin)]
        caller.hang_up()
        return [answer.replace(" ".join(code), "CODE") for answer in said]


@pytest.fixture
def scene(database: Path, tmp_path: Path) -> Iterator[Scene]:
    opened = line_on(database, tmp_path, StormClock())
    yield Scene(opened)
    opened.ledger.engine.dispose()


def test_same_words_and_steps(scene: Scene) -> None:
    """An unknown code, a wrong PIN, a contested precinct, and a right PIN that is not even judged."""
    plain = scene.heard(QUIET, scene.wrong(QUIET))
    assert "That code and PIN do not match." in spoken(plain[-1])
    assert plain == scene.heard(UNKNOWN, scene.wrong(UNKNOWN))
    assert plain == scene.heard(CONTESTED, scene.wrong(CONTESTED))
    assert plain == scene.heard(CLOSED, scene.right(CLOSED))
    reasons = [each.event.reason for each in scene.line.ledger.events() if isinstance(each.event, SignInFailed)]
    assert ["wrong-pin", "unknown-code", "wrong-pin", "limit"] == reasons[-4:], "they were four different things"


def test_right_pin_on_a_contested_precinct_is_like_any_other(scene: Scene) -> None:
    """Up to the verdict, and after it: who signed in while many guess hears what everybody hears who signs in."""
    quiet, contested = (scene.heard(code, scene.right(code)) for code in (QUIET, CONTESTED))
    names = {scene.line.contest.precincts[code].spoken for code in (QUIET, CONTESTED)}
    answers = []
    for answer in (quiet[-1], contested[-1]):
        for name in names:
            answer = answer.replace(name, "PRECINCT")  # noqa: PLW2901 - both names, one after the other
        answers.append(answer)
    assert (quiet[:-1], answers[0]) == (contested[:-1], answers[1])


def test_blocked_caller_learns_nothing_about_any_code(scene: Scene) -> None:
    """A blocked number is not answered at all: there is no question to time."""
    scene.line.blocks.block(STRANGER, span=timedelta(hours=1), why="abusive", by="Ana")
    answers = {intake.answer_call(scene.line, InboundCall(sid(900 + n), STRANGER, "+15155550199")) for n in range(2)}
    (answer,) = answers
    assert '<Reject reason="busy"' in answer


def test_same_work(scene: Scene) -> None:
    """One Argon2id each. An unknown code and a wrong PIN send the same statements; unjudged, one commit less."""
    work = {
        name: worked(scene, code, pin)
        for name, code, pin in (
            ("wrong", QUIET, scene.wrong(QUIET)),
            ("unknown", UNKNOWN, scene.wrong(UNKNOWN)),
            ("contested", CONTESTED, scene.right(CONTESTED)),
            ("closed", CLOSED, scene.right(CLOSED)),
        )
    }
    assert {1} == {verified for verified, _ in work.values()}
    statements = {name: sent for name, (_, sent) in work.items()}
    assert statements["wrong"] == statements["unknown"]
    commits = {name: sent["COMMIT"] for name, sent in statements.items()}
    assert {"wrong": 4, "unknown": 4, "contested": 4, "closed": 3} == commits


def worked(scene: Scene, code: str, pin: str) -> tuple[int, Counter[str]]:
    """How many hashes were verified, and how many statements of each kind sent, from the PIN to the verdict."""
    caller = scene.caller(None, code)
    before = scene.hasher.verified
    with counted(scene.line.ledger.engine) as sent:
        caller.key(pin)
    return scene.hasher.verified - before, Counter(statement.split()[0] for statement in sent)
