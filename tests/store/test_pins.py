"""PINs: hard to guess, dead when issued anew, nowhere in the clear, judged in equal work."""

from __future__ import annotations

from pathlib import Path

import pytest
from argon2 import extract_parameters
from argon2.exceptions import VerifyMismatchError
from argon2.low_level import Type
from sqlalchemy import Engine, select

from hotline.clock import seeded
from hotline.errors import SetupError
from hotline.store.pins import ARGON2ID, Packet, Peppers, PepperUse, Pins, is_guessable
from hotline.store.schema import pins as kept
from tests.quick import QUICK
from tests.store.held import PEPPER, HeldClock

CODE, OTHER = "00013", "00027"
OTHER_PEPPER = "another pepper of this test, 32 bytes and more"


def test_pin_and_correction_code_are_judged(pins: Pins) -> None:
    """The packet's PIN and code are right for its precinct and for no other; everything else is wrong."""
    mine, other = pins.issue([CODE, OTHER])
    assert pins.check(CODE, mine.pin)
    assert pins.check_correction(CODE, mine.correction_code)
    assert not any(
        pins.check(*wrong) for wrong in [(CODE, other.pin), (OTHER, mine.pin), ("00031", mine.pin), (CODE, "")]
    )
    assert not pins.check_correction("00031", mine.correction_code)
    assert not pins.check_correction(CODE, "")
    assert {CODE, OTHER} == pins.issued()


def test_issuing_again_kills_the_old_pin(pins: Pins) -> None:
    """From the moment a precinct has a new packet its old PIN is dead; other precincts keep theirs."""
    old, kept = pins.issue([CODE, OTHER])
    (new,) = pins.issue([CODE])
    assert not pins.check(CODE, old.pin)
    assert pins.check(CODE, new.pin)
    assert pins.check(OTHER, kept.pin)


@pytest.mark.parametrize(
    "code",
    [
        *("11111111", "12345678", "87654321", "12341234", "12344321", "91234568", "78901352", "21098352", "58585858"),
        *("0000", "1234", "4321", "2020", "1221", "9012", "1122"),
    ],
)
def test_guessable_codes_are_never_drawn(code: str) -> None:
    """Runs up, down and of one digit, few digits, halves repeated or mirrored are what people try first."""
    assert is_guessable(code)


def test_drawn_codes_are_eight_and_four_digits_and_differ(engine: Engine, clock: HeldClock) -> None:
    """Over a whole state: right lengths, none guessable, no PIN twice; a seeded draw can be repeated."""
    pins = Pins(engine, clock, Peppers(PEPPER), QUICK)
    codes = [f"{n:05}" for n in range(1765)]
    told: list[int] = []
    packets = pins.issue(codes, source=seeded("night", 1), progress=told.append)
    assert [(code, 8, 4) for code in codes] == [
        (each.precinct, len(each.pin), len(each.correction_code)) for each in packets
    ]
    assert not any(is_guessable(each.pin) or is_guessable(each.correction_code) for each in packets)
    assert 1765 == len({each.pin for each in packets})
    assert list(range(1, 1766)) == told
    assert packets == pins.issue(codes, source=seeded("night", 1))
    assert packets != pins.issue(codes)


def test_only_hashes_are_kept(pins: Pins, url: str, engine: Engine) -> None:
    """The database file holds no PIN, no correction code and no pepper, and what is printed of a packet has none."""
    packets = pins.issue([CODE, OTHER])
    engine.dispose()
    folder = Path(url.removeprefix("sqlite:///")).parent
    kept = b"".join(file.read_bytes() for file in folder.iterdir())
    assert CODE.encode() in kept
    assert not any(each.pin.encode() in kept for each in packets)
    assert PEPPER.encode() not in kept
    assert "Packet(precinct='00013')" == repr(Packet(CODE, "85720394", "4711"))
    assert PEPPER not in repr(Peppers(PEPPER))


def test_same_pin_has_different_marks_at_different_precincts() -> None:
    """What is hashed is bound to precinct, purpose and pepper: nothing can be moved from one row to another."""
    peppers = Peppers(PEPPER)
    marks = [
        ("pin", CODE, "85720394"),
        ("pin", OTHER, "85720394"),
        ("correction", CODE, "85720394"),
        ("pin", "0001", "385720394"),
    ]
    assert 4 == len({peppers.mix(peppers.current, *each) for each in marks})


def test_changed_pepper_still_knows_the_pins(engine: Engine, clock: HeldClock) -> None:
    """With the old pepper beside the new one all PINs hold, and move on at their first success."""
    mine, other = Pins(engine, clock, Peppers(PEPPER)).issue([CODE, OTHER])
    both, alone = Pins(engine, clock, Peppers(OTHER_PEPPER, PEPPER)), Pins(engine, clock, Peppers(OTHER_PEPPER))
    assert not both.check(CODE, other.pin)
    assert [True] * 3 == [both.check(CODE, mine.pin), both.check(CODE, mine.pin), alone.check(CODE, mine.pin)]
    assert both.check_correction(CODE, mine.correction_code)
    with pytest.raises(SetupError, match="HOTLINE_PEPPER_PREVIOUS"):
        alone.check(OTHER, other.pin)


def test_change_of_pepper_is_told_by_number(engine: Engine, clock: HeldClock) -> None:
    """What stands under which pepper, one sign-in at a time; correction codes move when issued anew. No PIN is told."""
    old, new = (Peppers(each).current for each in (PEPPER, OTHER_PEPPER))
    mine, _ = Pins(engine, clock, Peppers(PEPPER), QUICK).issue([CODE, OTHER])
    both, alone = (Pins(engine, clock, Peppers(OTHER_PEPPER, before), QUICK) for before in (PEPPER, None))
    assert [PepperUse(old, "previous", 2, 2)] == both.standing()
    both.check(CODE, mine.pin)
    assert [PepperUse(new, "in use", 1, 0), PepperUse(old, "previous", 1, 2)] == both.standing()
    both.require_peppers()
    with pytest.raises(SetupError, match=f"^1 PINs and 2 correction codes were issued under pepper {old}, which is no"):
        alone.require_peppers()
    alone.issue([CODE, OTHER])
    assert [PepperUse(new, "in use", 2, 2)] == alone.standing()
    alone.require_peppers()


def test_reissue_needs_no_old_pepper(engine: Engine, clock: HeldClock) -> None:
    """A pepper that is lost for good is mended by issuing anew, and by nothing less."""
    Pins(engine, clock, Peppers(PEPPER), QUICK).issue([CODE])
    alone = Pins(engine, clock, Peppers(OTHER_PEPPER), QUICK)
    (packet,) = alone.issue([CODE])
    assert alone.check(CODE, packet.pin)


def test_stolen_database_answers_no_guess(engine: Engine, clock: HeldClock) -> None:
    """Whoever has every row of `pins`, and the source of this product, but no pepper, cannot tell a right PIN.

    What is hashed is HMAC-SHA-256 under a pepper of 32 bytes or more, so a guess at a PIN can be tried only together
    with a guess at the pepper: 10^8 PINs times 2^256. Trying PINs alone compares each with the image of another key,
    and that fails for the right PIN as for any other. So it is no matter of how many are tried: were every one of a
    precinct's 10^8 tried, none would fit. Here each true PIN is among the tries, beside a few thousand others, with
    the hash cheap so that its cost keeps nobody out, under every key a thief could think of.
    """
    packets = Pins(engine, clock, Peppers(PEPPER), QUICK).issue([CODE, OTHER])
    with engine.connect() as connection:
        rows = connection.execute(select(kept)).all()
    tries = [each.pin for each in packets] + [f"{n * 48_611 % 10**8:08}" for n in range(1_000)]
    keys = [Peppers(key) for key in ("hotline", Peppers(PEPPER).current, rows[0].pin, OTHER_PEPPER)]
    mixed = [key.mix(key.current, "pin", row.precinct, pin) for key in keys for row in rows for pin in tries]
    assert not any(_opens(row.pin, each) for row in rows for each in (*tries, *mixed))
    pepper = Peppers(PEPPER)
    assert _opens(rows[0].pin, pepper.mix(pepper.current, "pin", rows[0].precinct, packets[0].pin)), "with it, one can"


def _opens(hashed: str, mixed: str) -> bool:
    try:
        return QUICK.hasher.verify(hashed, mixed)
    except VerifyMismatchError:
        return False


def test_decoy_costs_what_a_pin_costs() -> None:
    """An unknown precinct is judged by a hash of the same parameters as a real one: OWASP's floor for Argon2id."""
    decoy, real = map(extract_parameters, (ARGON2ID.decoy, ARGON2ID.hasher.hash("")))
    assert real == decoy
    assert (Type.ID, 2, 19 * 1024, 1) == (real.type, real.time_cost, real.memory_cost, real.parallelism)


def test_issue_of_nothing_changes_nothing(pins: Pins) -> None:
    """No precinct, no packet."""
    assert [] == pins.issue([])
    assert set() == pins.issued()
