"""Every way the carrier names a caller or vouches for one, from the form it sends to the verdict.

Withheld callers share no key: what one of them does is never held against another.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import pytest

from hotline.caucus.codes import with_check_digit
from hotline.errors import RequestUnreadable
from hotline.events.guard import CallScreened
from hotline.screening.signals import Neighbours, Recent
from hotline.services import intake, screening
from hotline.services.line import Line
from hotline.store.database import reading
from hotline.store.schema import blocks, calls, pin_attempts
from hotline.telephony import inbound
from tests.lines import line_on
from tests.services.callers import Caller, sid, spoken

OURS, CODE = "+15155550199", "00013"
WITHHELD = [
    None,
    *("", " ", "anonymous", "Anonymous", "ANONYMOUS", "unknown", "restricted", "Restricted", "blocked", "unavailable"),
    *("private", "+266696687", "+7378742833", "+2562533", "+8656696", "+86282452253", "266696687", "+"),
    *("sip:anonymous@anonymous.invalid", "sip:+15155550101@carrier.example", "sips:chair@example.org"),
    *("client:ana", "client:+15155550101", "tel:+15155550101", "+1 515 555 0101", "15155550101", "+1515555٠١٠١"),
    *("+15155550101;ext=1", "+15155550101\n", "'; DROP TABLE calls; --", "\x00", "+" + "9" * 40, "é" * 500),
]
OUTCOMES = {
    f"TN-Validation-{outcome}-{level}{route}": points
    for outcome, levels in (("Passed", {"A": -10, "B": 0, "C": 10}), ("Failed", {"A": 30, "B": 30, "C": 30}))
    for level, points in levels.items()
    for route in ("", "-Diverted", "-Passthrough")
}
VERSTATS = {
    **OUTCOMES,
    "TN-Validation-Failed": 30,
    "No-TN-Validation": 0,
    "NULL": 0,
    "": 0,
    "TN-Validation-Passed-A-Forged": 0,
    "TN-Validation-Passed-A ": 0,
    "tn-validation-passed-a": 0,
    "TN-Validation-Passed-D": 0,
    "Passed-A": 0,
}


def ringing(n: int, sender: str | None = None, **fields: str) -> inbound.InboundCall:
    """The call of a form as it comes over the wire; no From at all when `sender` is None."""
    form = {"CallSid": sid(n), "To": OURS, **({} if sender is None else {"From": sender}), **fields}
    return inbound.call(inbound.read_form(urlencode(form).encode()))


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Recent]:
    """What the policy was told at each ring."""
    told: list[Recent] = []
    judge = screening.judge

    def judging(recent: Recent, policy: object) -> object:
        told.append(recent)
        return judge(recent, policy)

    monkeypatch.setattr(screening, "judge", judging)
    return told


@pytest.mark.parametrize("sender", WITHHELD, ids=repr)
def test_withheld_is_nobody_in_particular(line: Line, seen: list[Recent], sender: str | None) -> None:
    """However it is spelled: a few points, no area, no history, answered like anyone; no number is kept."""
    line.roster.register_number("+15155550101", CODE, "chair")
    assert "precinct code" in spoken(intake.answer_call(line, ringing(1, sender)))
    (recent,) = seen
    assert (True, "", (), False, 0, Neighbours()) == (
        recent.is_withheld, recent.area, recent.marks, recent.is_on_file, recent.live, recent.neighbours,
    )  # fmt: skip
    (screened,) = [each.event for each in line.ledger.events() if isinstance(each.event, CallScreened)]
    assert ("admit", "unknown", {"AB-07": 15}) == (screened.decision, screened.lane, screened.parts)
    with reading(line.ledger.engine) as connection:
        assert [("", "")] == [(row.caller, row.block) for row in connection.execute(calls.select())]


@pytest.mark.parametrize(("sent", "points"), VERSTATS.items())
def test_what_the_carrier_vouches_for_is_weighed_whole(line: Line, seen: list[Recent], sent: str, points: int) -> None:
    """Every documented value with and without its suffix; whatever else merely looks like one says nothing."""
    screened = screening.screen(line, ringing(1, "+15155550101", StirVerstat=sent))
    assert points == screened.verdict.parts.get("AB-08", 0)
    assert ("challenge" if points == 30 else "admit") == screened.verdict.decision
    assert seen[0].verstat in (
        "none",
        "failed",
        *(f"{word}-{level}" for word in ("passed", "failed") for level in "ABC"),
    )


@pytest.mark.parametrize(("sent", "points"), VERSTATS.items())
def test_number_on_file_is_let_in_whatever_the_carrier_says(line: Line, sent: str, points: int) -> None:
    """Only a passed A is the first lane; a failed check may be a forged number: one challenge and a flag, no more."""
    line.roster.register_number("+15155550101", CODE, "chair")
    verdict = screening.screen(line, ringing(1, "+15155550101", StirVerstat=sent)).verdict
    lane = {-10: "chair-attested", 30: "challenged"}.get(points, "chair")
    assert (lane, points == 30) == (verdict.lane, "possible-spoof" in verdict.flags)
    assert ("challenge" if points == 30 else "admit") == verdict.decision


def test_verstat_that_is_absent_or_doubled(line: Line) -> None:
    """No field is no guilt, as landlines have none; two fields are two readings, and refused."""
    assert 0 == screening.screen(line, ringing(1, "+15155550101")).verdict.score
    for name in ("StirVerstat", "From"):
        body = f"CallSid={sid(1)}&To=%2B15155550199&{name}=anonymous&{name}=TN-Validation-Passed-A".encode()
        with pytest.raises(RequestUnreadable, match=name):
            inbound.call(inbound.read_form(body))


def test_withheld_callers_are_never_counted_together(line: Line, seen: list[Recent]) -> None:
    """Forty withheld calls go as badly as can be; the forty-first is met as the first was, and its PIN is judged."""
    for n, sender in enumerate(WITHHELD[1:] * 2, start=1):
        intake.answer_call(line, ringing(n, sender))
        caller = Caller(line, sid(n), None)
        caller.keys(with_check_digit(f"{9000 + n}"), "70361548")  # each time another, so no code's own limit comes in
        caller.hang_up()
    first, last = seen[0], seen[-1]
    assert (first.marks, first.live, first.is_hurried) == (last.marks, last.live, last.is_hurried) == ((), 0, False)
    (packet,) = line.pins.issue([CODE])
    intake.answer_call(line, ringing(900, "anonymous"))
    assert "do not match" not in spoken(Caller(line, sid(900), None).keys(CODE, packet.pin))
    with reading(line.ledger.engine) as connection:
        tried = [(row.caller, row.outcome) for row in connection.execute(pin_attempts.select())]
    assert [("", "refused")] * (len(seen) - 1) + [("", "accepted")] == tried, "each was judged"


def test_no_block_and_no_rate_is_on_withheld_callers(database: Path, tmp_path: Path, valkey, connection) -> None:
    """A hundred at once within a second are a hundred callers; Redis keeps no key for them."""
    opened = line_on(database, tmp_path, REDIS_URL=valkey.url)
    try:
        with ThreadPoolExecutor(4) as pool:
            screened = list(pool.map(lambda n: screening.screen(opened, ringing(n, "anonymous")), range(1, 101)))
        assert {("admit", 15)} == {(each.verdict.decision, each.verdict.score) for each in screened}
        assert [] == list(connection.scan_iter("*number*"))
        screening.screen(opened, ringing(101, "+15155550101"))
        assert 1 == len(list(connection.scan_iter("*number*"))), "that of a number is there"
        with reading(opened.ledger.engine) as database_connection:
            assert [] == list(database_connection.execute(blocks.select()))
    finally:
        opened.ledger.engine.dispose()
