"""The chairs of a simulated night: one for every precinct, save those a county's chair reports for.

A chair who is not heard calls again, up to `MOST_CHAIR_CALLS` times; every call is drawn before the night.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hotline.caucus.contest import Contest
from hotline.clock import Source, seeded
from hotline.dialog.values import replace
from hotline.practice.habits import swapped
from hotline.practice.simulated import phones
from hotline.practice.simulated.assumed import (
    ABROAD,
    CHAIR_TALK,
    CHAIRS,
    CHALLENGE_PASSED,
    JAM,
    MOST_CHAIR_CALLS,
    MOST_KEYLESS_CALLS,
    REPORT_TAKES,
    REPORTS_AT,
    SHARED_BY,
)
from hotline.practice.simulated.people import Caller, Phone, Plan

HOUR = 3600.0
MOST_PRECINCTS = 4
OWN_PHONE = {"withheld number", "phone sends no keys", "abroad"}
"""Traits of a chair's own telephone, which is not a school's."""


def chairs(contest: Contest, pins: Mapping[str, str], seed: str) -> list[Caller]:
    """Everybody with a report to give, in the order of the roster. `pins` are by precinct code."""
    satellites = [code for code, site in contest.precincts.items() if site.delegates is None]
    abroad = set(seeded(seed, "abroad").sample(satellites, min(ABROAD, len(satellites))))
    found = [
        _chair(place, codes, pins, codes[0] in abroad, seed)
        for place, codes in enumerate(_rounds(contest, list(pins), seed))
    ]
    return _sharing(found)


def _rounds(contest: Contest, codes: Sequence[str], seed: str) -> Iterator[tuple[str, ...]]:
    """Who reports what: one precinct each, but now and then a county's chair brings neighbours'."""
    source, start = seeded(seed, "rounds"), 0
    while start < len(codes):
        wanted = source.randint(2, MOST_PRECINCTS) if source.random() < CHAIRS["county chair"] else 1
        county = contest.precincts[codes[start]].county
        taken = [code for code in codes[start : start + wanted] if contest.precincts[code].county == county]
        yield tuple(taken)
        start += len(taken)


def _chair(place: int, codes: tuple[str, ...], pins: Mapping[str, str], is_abroad: bool, seed: str) -> Caller:
    source = seeded(seed, "chair", codes[0])
    traits = {trait for trait, share in CHAIRS.items() if source.random() < share}
    traits = (traits - {"county chair"}) | ({"county chair"} if len(codes) > 1 else set())
    if is_abroad:
        traits = (traits - {"landline", "out-of-state mobile"}) | {"abroad"}
    errands = tuple((code, pins[code]) for code in codes)
    return Caller(
        ("plain",) if not traits else tuple(sorted(traits)),
        _phone(source, place, codes, traits),
        tuple(_plans(source, traits, errands, pins)),
        errands,
        source.uniform(*REPORT_TAKES),
    )


def _phone(source: Source, place: int, codes: tuple[str, ...], traits: set[str]) -> Phone:
    kind = "abroad" if "abroad" in traits else "landline" if "landline" in traits else "mobile"
    is_out_of_state = kind == "mobile" and "out-of-state mobile" in traits
    phone = phones.of_chair(source, place, kind, is_out_of_state=is_out_of_state)
    if "withheld number" in traits:
        return Phone("", phone.verstat)
    if "unregistered phone" in traits:
        return replace(phone, keeps_own_hours=False)
    return replace(phone, on_file=codes)


def _sharing(found: list[Caller]) -> list[Caller]:
    """Chairs who use one telephone, each few of them a school's: on file for none."""
    school: Phone | None = None
    sharing, users = [], 0
    for caller in found:
        if "shares a phone" not in caller.kinds or OWN_PHONE & set(caller.kinds):
            sharing.append(caller)
            continue
        if school is None or users % SHARED_BY == 0:
            school = replace(caller.phone, on_file=(), keeps_own_hours=False)
        users += 1
        sharing.append(replace(caller, phone=school))
    return sharing


def _plans(
    source: Source, traits: set[str], errands: Sequence[tuple[str, str]], pins: Mapping[str, str]
) -> Iterator[Plan]:
    """Every call a chair may have to make, in order: those that come to nothing, the one meant, and spare ones."""
    plain = _plain(source, traits, errands[0])
    first = source.gauss(*REPORTS_AT) - (8 * HOUR if "abroad" in traits else 0.0)
    calls = [*_lost(source, traits, plain), *_meant(source, traits, errands[0], pins, plain)]
    if "calls early" in traits:
        calls = [replace(plain, at=0.0, tries=(), slips=(errands[0][0],), lasts=18.0), *calls]
        early = source.uniform(2.1, 5.0) * HOUR
        yield replace(calls.pop(0), at=-early)
        calls[0] = replace(calls[0], at=early + max(first, HOUR))
    else:
        calls[0] = replace(calls[0], at=first)
    yield from calls
    most = MOST_KEYLESS_CALLS if "phone sends no keys" in traits else MOST_CHAIR_CALLS
    for _ in range(most - len(calls)):
        yield replace(plain, at=source.uniform(30.0, 300.0))


def _plain(source: Source, traits: set[str], errand: tuple[str, str]) -> Plan:
    pace = source.uniform(14.0, 24.0) if "slow" in traits else source.uniform(5.0, 12.0)
    right = CHALLENGE_PASSED["chair"]
    manner = "silent" if "phone sends no keys" in traits else "keys"
    return Plan(
        at=source.uniform(30.0, 240.0),
        manner=manner,  # type: ignore[arg-type]
        pace=pace,
        tries=(errand,),
        challenges=(source.random() < right, source.random() < right),
        talk=CHAIR_TALK * source.uniform(0.5, 1.5),
    )


def _lost(source: Source, traits: set[str], plain: Plan) -> Iterator[Plan]:
    """Calls that are lost before a key is pressed."""
    calls, within = JAM
    if "redials in a jam" in traits:
        for _ in range(calls):
            yield replace(plain, at=source.uniform(0.5, 1.0) * within / calls, lasts=source.uniform(1.5, 9.0))
    elif "lost at once" in traits:
        yield replace(plain, lasts=source.uniform(1.5, 4.9))


def _meant(
    source: Source, traits: set[str], errand: tuple[str, str], pins: Mapping[str, str], plain: Plan
) -> Iterator[Plan]:
    """The call that is to give the report, and one with a PIN misremembered before it."""
    code, pin = errand
    if "PIN misremembered" in traits:
        wrong = pins[source.choice(list(pins))]
        yield replace(plain, tries=((code, wrong), (code, wrong), (code, swapped(wrong))))
    tries = [errand]
    if "PIN mistyped" in traits:
        tries.insert(0, (code, swapped(pin)))
    if "PIN mistyped twice" in traits:
        tries[:0] = [(code, _key_off(source, pin)), (code, _key_off(source, pin))]
    if "another precinct's code" in traits:
        tries.insert(0, (source.choice(list(pins)), pin))
    slips = [swapped(code)] if "code mistyped" in traits else []
    slips += [code[:3] + ","] if "slow" in traits and source.random() < 0.3 else []
    slips += [""] if "silent at first" in traits else []
    breaks_off = source.uniform(20.0, 200.0) if "cut off in the middle" in traits else None
    call = replace(plain, tries=tuple(tries), slips=tuple(slips), breaks_off=breaks_off)
    yield replace(call, manner="person") if "wants a person" in traits and call.manner == "keys" else call


def _key_off(source: Source, pin: str) -> str:
    """One digit of the PIN a key off."""
    place = source.randrange(len(pin))
    return f"{pin[:place]}{(int(pin[place]) + 1) % 10}{pin[place + 1 :]}"
