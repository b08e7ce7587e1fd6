"""PINs issued anew, or under another pepper, while calls are under way."""

from __future__ import annotations

import pytest

from hotline.dialog.values import replace
from hotline.services.line import Line
from hotline.store.pins import Packet, Peppers, Pins
from tests.lines import SECRETS
from tests.quick import QUICK
from tests.services.callers import WHOLE, Caller, confirmation, sid, signed_in, spoken

CODE, REFUSED = "00013", "do not match"
NEW_PEPPER = "another pepper of this test, 32 bytes and more"


def pins_of(line: Line, current: str, previous: str | None = None) -> Pins:
    return Pins(line.ledger.engine, line.clock, Peppers(current, previous), QUICK)


@pytest.fixture
def quick(line: Line) -> Line:
    """The line, its PINs hashed cheaply."""
    return replace(line, pins=pins_of(line, SECRETS["HOTLINE_PEPPER"]))


@pytest.fixture
def old(quick: Line) -> Packet:
    (packet,) = quick.pins.issue([CODE])
    return packet


def enters(line: Line, packet: Packet, n: int) -> str:
    """What comes of one more call with the packet's PIN."""
    caller = Caller(line, sid(n))
    caller.ring()
    said = spoken(caller.keys(packet.precinct, packet.pin))
    return "refused" if REFUSED in said else "let in"


def test_old_pin_dies_under_a_callers_fingers(quick: Line, old: Packet) -> None:
    """Issued anew between the question for the PIN and its answer: the old one is wrong, the new one right."""
    caller = Caller(quick, sid(1))
    caller.ring()
    caller.key(CODE)
    (new,) = quick.pins.issue([CODE])
    assert REFUSED in spoken(caller.key(old.pin))
    assert REFUSED not in spoken(caller.keys(CODE, new.pin))


def test_chair_at_work_is_not_cut_off(quick: Line, old: Packet) -> None:
    """Who signed in before goes on to their confirmation number; the next call needs the new PIN."""
    chair = signed_in(quick, CODE, old.pin)
    (new,) = quick.pins.issue([CODE])
    assert confirmation(chair.keys("1", *WHOLE, "1"))
    assert ["refused", "let in"] == [enters(quick, old, 2), enters(quick, new, 3)]


def test_old_correction_code_dies_too(quick: Line, old: Packet) -> None:
    """A correction under way is asked for the code of the new packet."""
    signed_in(quick, CODE, old.pin).keys("1", *WHOLE, "1")
    again = signed_in(quick, CODE, old.pin, n=2)
    (new,) = quick.pins.issue([CODE])
    assert "correction code" in spoken(again.key("2"))
    assert "That is not the correction code" in spoken(again.key(old.correction_code))
    assert "What should be changed" in spoken(again.key(new.correction_code))


def test_changed_pepper_end_to_end(line: Line) -> None:
    """Started again with both peppers, every packet holds; a PIN moves when its chair calls, a code stays behind."""
    old, new = SECRETS["HOTLINE_PEPPER"], NEW_PEPPER
    before = replace(line, pins=pins_of(line, old))
    (packet,) = before.pins.issue([CODE])
    after = replace(line, pins=pins_of(line, new, old))
    assert confirmation(signed_in(after, CODE, packet.pin).keys("1", *WHOLE, "1"))
    assert [(1, 0), (0, 1)] == [(use.pins, use.correction_codes) for use in after.pins.standing()]
    assert "let in" == enters(replace(line, pins=pins_of(line, new)), packet, 2)
