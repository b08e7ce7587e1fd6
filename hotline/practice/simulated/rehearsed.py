"""Rehearsing nights: a crowd drawn for each, heard twice, screened and not, and the counts of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hotline.caucus.contest import Contest
from hotline.clock import seeded
from hotline.dialog.script import Script
from hotline.practice.simulated.chairs import chairs
from hotline.practice.simulated.night import Night
from hotline.practice.simulated.people import Caller
from hotline.practice.simulated.pranks import pranksters
from hotline.practice.simulated.talk import Dialog
from hotline.practice.simulated.tally import Tally
from hotline.screening.policy_file import Policy
from hotline.store.pins import PIN_DIGITS, is_guessable
from hotline.telephony.speech import Prompts


@dataclass(frozen=True)
class Rehearsal:
    """Nights to be held. `share` of every kind of caller comes: 1.0 for a whole night.

    `policy` is that of the number called in the contest's state.
    """

    contest: Contest
    prompts: Prompts
    policy: Policy
    seed: int
    nights: int
    share: float = 1.0


def rehearse(wanted: Rehearsal, progress: Callable[[int], None]) -> tuple[Tally, Tally]:
    """The counts of all nights, screened and unscreened. `progress` is told how many nights are over."""
    screened, unscreened = Tally(), Tally()
    dialog = Dialog(Script(wanted.contest, tuple(wanted.prompts)), wanted.prompts)
    for number in range(wanted.nights):
        pins = drawn_pins(wanted, number)
        crowd = drawn_crowd(wanted, pins, number)
        screened.add(Night(crowd, pins, dialog, wanted.policy).run())
        unscreened.add(Night(crowd, pins, dialog, wanted.policy, is_screened=False).run())
        progress(number + 1)
    return screened, unscreened


def drawn_pins(wanted: Rehearsal, number: int) -> dict[str, str]:
    """A PIN for each precinct of one night."""
    source = seeded(wanted.seed, number, "pins")

    def draw() -> str:
        while is_guessable(pin := f"{source.randrange(10**PIN_DIGITS):0{PIN_DIGITS}}"):
            pass
        return pin

    return {code: draw() for code in wanted.contest.precincts}


def drawn_crowd(wanted: Rehearsal, pins: dict[str, str], number: int) -> list[Caller]:
    """Everybody who calls in one night: chairs first."""
    seed = f"{wanted.seed}/{number}"
    codes = list(pins)
    reporting = codes if wanted.share == 1 else seeded(seed, "share").sample(codes, round(len(codes) * wanted.share))
    heard = chairs(wanted.contest, {code: pins[code] for code in codes if code in set(reporting)}, seed)
    return [*heard, *pranksters(codes, [each.phone for each in heard], seed, wanted.share)]
