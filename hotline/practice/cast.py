"""Who calls on a simulated night: chairs with their worksheets and telephone numbers, and pranksters, in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotline.caucus.contest import Contest
from hotline.caucus.roster import ChairNumber
from hotline.caucus.worksheet import Worksheet
from hotline.clock import Source, seeded
from hotline.practice import habits, pranksters
from hotline.practice.chairs import Chair, Errand, headcount
from hotline.practice.listening import Ear
from hotline.practice.pranksters import Prankster

AREAS = ("515", "319", "563", "641", "712")
"""Area codes of the state; every number is of an exchange kept for fiction."""
ON_FILE, SECOND, BORROWED = 0, 3000, 6000
"""Where the last four digits begin: the chair's number, the secretary's, a phone that is on file for nobody."""
MOST_PRECINCTS = 3


@dataclass(frozen=True)
class Cast:
    """Everybody of one night. `order` is how they come to the phone; `numbers` are to be put on file before it."""

    order: tuple[Chair | Prankster, ...]
    numbers: tuple[ChairNumber, ...]

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """Those with a report to give."""
        return tuple(caller for caller in self.order if isinstance(caller, Chair))


def sample(sheets: Mapping[str, Worksheet], seed: int, count: int | None) -> dict[str, Worksheet]:
    """The first `count` worksheets of a seeded order, all of them for None."""
    codes = sorted(sheets)
    seeded(seed, "precincts").shuffle(codes)
    return {code: sheets[code] for code in sorted(codes[:count])}


def cast(
    contest: Contest, sheets: Mapping[str, Worksheet], pins: Mapping[str, str], ear: Ear, seed: int, pranks: int
) -> Cast:
    """Everybody who calls: a chair for each worksheet (some with a neighbour's as well) and `pranks` prank calls."""
    places = {code: place for place, code in enumerate(contest.precincts)}
    chairs = [
        _chair(contest, ear, places, [_errand(contest, code, sheets[code], pins[code], seed) for code in codes], seed)
        for codes in _rounds(contest, list(sheets), seed)
    ]
    codes = sorted(contest.precincts)
    seeded(seed, "guesses").shuffle(codes)
    pranked = [pranksters.draw(seeded(seed, "prank", place), place, ear, codes) for place in range(pranks)]
    order: list[Chair | Prankster] = [*chairs, *pranked]
    seeded(seed, "order").shuffle(order)
    return Cast(tuple(order), _on_file(places, chairs))


def _on_file(places: Mapping[str, int], chairs: Sequence[Chair]) -> tuple[ChairNumber, ...]:
    """Two numbers for each precinct; a chair who brings others is on file for them too."""
    numbers = []
    for chair in chairs:
        home = chair.errands[0].code
        for errand in chair.errands:
            role = "chair" if errand.code == home else "county chair"
            numbers.append(ChairNumber(_number(places[home], ON_FILE), errand.code, role))
            numbers.append(ChairNumber(_number(places[errand.code], SECOND), errand.code, "secretary"))
    return tuple(numbers)


def _rounds(contest: Contest, codes: Sequence[str], seed: int) -> list[list[str]]:
    """Who reports what: one precinct each, but now and then a county's chair brings several of one county."""
    rounds: list[list[str]] = []
    places = 0
    for code in codes:
        if places and contest.precincts[code].county == contest.precincts[rounds[-1][0]].county:
            rounds[-1].append(code)
            places -= 1
            continue
        source = seeded(seed, "round", code)
        places = source.randint(1, MOST_PRECINCTS - 1) if source.random() < habits.SHARES["county-chair"] else 0
        rounds.append([code])
    return rounds


def _errand(contest: Contest, code: str, sheet: Worksheet, pin: str, seed: int) -> Errand:
    drawn = habits.draw(seeded(seed, "chair", code), sheet)
    return Errand(code, pin, contest.precincts[code].spoken, sheet, headcount(sheet), drawn)


def _chair(contest: Contest, ear: Ear, places: Mapping[str, int], errands: Sequence[Errand], seed: int) -> Chair:
    home = errands[0].code
    return Chair(errands, contest, ear, _number(places[home], _phone(seeded(seed, "phone", home))))


def _phone(source: Source) -> int:
    """Which phone a chair calls from."""
    if source.random() >= habits.SHARES["on-file"]:
        return BORROWED
    return SECOND if source.random() < habits.SHARES["second-number"] else ON_FILE


def _number(place: int, start: int) -> str:
    """A number that is one precinct's alone, by its place in the roster."""
    return f"+1{AREAS[place % len(AREAS)]}555{start + place // len(AREAS):04}"
