"""What a simulated chair presses at each question, by the prompt that asks it.

A chair keeps what the phone warns about and mends only what was mistyped: the worksheet is right, whatever it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from hotline.practice.chairs import HEADCOUNT, SECTIONS, Chair, counts
from hotline.practice.gather import Press
from hotline.practice.habits import Where, swapped
from hotline.practice.listening import Understood

AT_A_LOSS = 4
"""Questions in a row a chair does not recognise before hanging up to call again."""

SECTION_NAMED = {"first": "first", "final": "final", "delegates-of": "delegates"}
CHANGE_KEYS = {"headcount": "1", "first": "2", "final": "3", "delegates": "4"}
NOTHING_TO_CHANGE = "5"


def answer(chair: Chair, heard: str) -> Press | None:
    """What the chair presses after what was heard; None to hang up."""
    asked = chair.ear.last(heard, ANSWERS)
    if asked is None:
        chair.at_a_loss += 1
        return None if chair.at_a_loss >= AT_A_LOSS else Press("")
    chair.at_a_loss = 0
    if _is_cut_off(chair):
        return None
    gap = chair.errand.habits.gap
    keys = ANSWERS[asked.prompt](chair, asked)
    return None if keys is None else Press(keys, gap=gap)


def _is_cut_off(chair: Chair) -> bool:
    """Whether the call is lost now, once, in the middle of a report."""
    after = chair.errand.habits.cut_off_after
    if not chair.is_signed_in or after is None:
        return False
    chair.answers += 1
    return chair.answers > after and chair.once("cut off")


def _challenge(chair: Chair, asked: Understood) -> str:
    chair.is_challenged = True
    return asked.values["digits"].replace(" ", "") + "#"


def _code(chair: Chair, _asked: Understood) -> str:
    code = chair.errand.code
    return (swapped(code) if chair.errand.habits.code_slips and chair.once("code") else code) + "#"


def _code_on_file(chair: Chair, asked: Understood) -> str:
    return "1#" if asked.values["precinct"] == chair.errand.spoken else _code(chair, asked)


def _pin(chair: Chair, _asked: Understood) -> str:
    if chair.errand.habits.pin_slips and chair.once("pin"):
        return swapped(chair.errand.pin) + "#"
    chair.is_signed_in = True
    return chair.errand.pin + "#"


def _begin(chair: Chair, _asked: Understood) -> str:
    chair.keyed.clear()
    return "1"


def _yes(_chair: Chair, _asked: Understood) -> str:
    return "1"


def _on_file(chair: Chair, asked: Understood) -> str | None:
    """The report was recorded although the call was lost before its number was heard: now it is heard."""
    for recorded in asked.also("precinct-on-file"):
        chair.heard_number(recorded.values["confirmation"])
    return None if chair.is_done else "3"


def _headcount(chair: Chair, _asked: Understood) -> str:
    return _number(chair, HEADCOUNT)


def _tally(chair: Chair, asked: Understood) -> str:
    """A group's count, in the section that was named last; zero for all the rest where the paper says so."""
    chair.section = SECTION_NAMED.get(asked.prompt, chair.section)
    if chair.notices("echo") and chair.once("back"):
        return "*2#"
    group = next(each.key for each in chair.contest.preferences if each.spoken == asked.values["group"])
    if chair.errand.habits.zero_rest and _only_zeros_from(chair, group):
        return "*3#"
    return _number(chair, (chair.section, group))


def _only_zeros_from(chair: Chair, group: str) -> bool:
    """Whether the worksheet has nothing but zeros from this group on, none of them keyed yet; they are now."""
    rest = [(chair.section, each) for each in chair.contest.keys[chair.contest.keys.index(group) :]]
    if len(rest) < 2 or rest[0] in chair.keyed or any(chair.right(where) for where in rest):
        return False
    chair.keyed.update(dict.fromkeys(rest, 0))
    return True


def _number(chair: Chair, where: Where) -> str:
    """The number asked for, as this chair keys it the first time and the next."""
    habits = chair.errand.habits
    chair.at = where
    if habits.star and habits.star[0] == where and chair.once("star"):
        return habits.star[1]
    is_slip = where in habits.slips and chair.once("slip")
    chair.keyed[where] = habits.slips[where] if is_slip else chair.right(where)
    pound = "" if habits.times_out == where and chair.once("times out") else "#"
    return f"{chair.keyed[where]}{pound}"


def _heard_count(chair: Chair, asked: Understood) -> str:
    """The phone was not told that the count was complete: right as heard, or keyed again."""
    where = chair.at or HEADCOUNT
    return "#" if int(asked.values["count"]) == chair.keyed.get(where) else f"{chair.right(where)}#"


def _check(chair: Chair, _asked: Understood) -> str:
    """What the phone warns about is kept, unless a look at the paper shows a slip."""
    mistyped = chair.notices("check")
    if mistyped is None or not chair.once("check"):
        return "1"
    chair.at = mistyped
    return "2"


def _rule(chair: Chair, asked: Understood) -> str:
    """The split by rule: taken when the worksheet says the same."""
    for split in (*asked.also("delegates-rule"), *asked.also("delegates-largest")):
        chair.offered = {"1": listed(chair, split.values.get("groups") or split.values["group"])}
    return "1" if chair.offered.get("1") == _delegates(chair) else "2"


def _chance(chair: Chair, asked: Understood) -> str:
    """The numbered outcome that happened, or 9 to enter what the worksheet says."""
    for said in asked.also("delegates-certain"):
        chair.offered = {"certain": listed(chair, said.values["groups"])}
    certain = chair.offered.get("certain", {})
    for option in asked.also("delegates-option"):
        won = listed(chair, option.values["groups"])
        chair.offered[option.values["key"]] = {
            group: certain.get(group, 0) + won.get(group, 0) for group in {**certain, **won}
        }
    delegates = _delegates(chair)
    return next((key for key, split in chair.offered.items() if key != "certain" and split == delegates), "9")


def _readback(chair: Chair, asked: Understood) -> str:
    """The numbers are compared with the paper as they are read."""
    misread = next(_misread(chair, asked), None)
    if misread is None:
        return "1"
    chair.at = misread
    return "2"


def _misread(chair: Chair, asked: Understood) -> Iterator[Where]:
    """Every number of the read-back that is not the worksheet's."""
    for said in asked.also("readback-headcount"):
        if int(said.values["count"]) != chair.errand.headcount:
            yield HEADCOUNT
    for section in SECTIONS:
        read = _section_read(chair, asked, section)
        for group in chair.contest.keys:
            if read is not None and read.get(group, 0) != chair.right((section, group)):
                yield (section, group)


def _section_read(chair: Chair, asked: Understood, section: str) -> Mapping[str, int] | None:
    """One section as it was read back; None when it was not."""
    for prompt in (f"readback-{section}", f"readback-{section}-whole"):
        for said in asked.also(prompt):
            return listed(chair, said.values["groups"])
    return {} if any(asked.also(f"readback-{section}-zero")) else None


def _change(chair: Chair, _asked: Understood) -> str:
    return CHANGE_KEYS[chair.at[0]] if chair.at else NOTHING_TO_CHANGE


def _change_group(chair: Chair, _asked: Understood) -> str:
    assert chair.at is not None, "a group is asked for only after its section was chosen"
    return f"{chair.contest.by_key[chair.at[1]].number}#"


def _done(chair: Chair, asked: Understood) -> str | None:
    """The number is written down; then another report, or the end of the call."""
    habits = chair.errand.habits
    for recorded in (*asked.also("done"), *asked.also("done-again")):
        chair.heard_number(recorded.values["confirmation"])
        break
    chair.keyed.clear()
    chair.offered.clear()
    chair.at, chair.is_signed_in, chair.answers = None, False, 0
    if not chair.is_done:
        return "1"
    return "" if habits.stays_silent else None


def listed(chair: Chair, groups: str) -> Mapping[str, int]:
    """Groups as spoken, "Sanders 4, Warren 3" or "Sanders, Warren", by key; a group without a number counts one."""
    keys = {preference.spoken: preference.key for preference in chair.contest.preferences}
    split = {}
    for piece in groups.split(", "):
        name, _, count = piece.rpartition(" ")
        split[keys[name if name in keys else piece]] = int(count) if name in keys else 1
    return split


def _delegates(chair: Chair) -> Mapping[str, int]:
    return {group: count for group, count in counts(chair.errand.sheet, "delegates").items() if count}


Answer = Callable[[Chair, Understood], str | None]

ANSWERS: Mapping[str, Answer] = {
    **dict.fromkeys(("challenge", "challenge-again", "challenge-missed"), _challenge),
    **dict.fromkeys(("code", "code-again"), _code),
    **dict.fromkeys(("code-on-file", "code-on-file-again"), _code_on_file),
    **dict.fromkeys(("pin", "pin-again"), _pin),
    "precinct-fresh-keys": _begin,
    "precinct-half-given-keys": _yes,
    "precinct-on-file-keys": _on_file,
    **dict.fromkeys(("headcount", "headcount-again"), _headcount),
    "headcount-zero": _yes,
    **dict.fromkeys(("first", "final", "delegates-of", "next", "group"), _tally),
    "heard-count": _heard_count,
    **dict.fromkeys(("check-keys", "check-broken-keys"), _check),
    "delegates-rule-keys": _rule,
    "delegates-enter-key": _chance,
    "readback-keys": _readback,
    "change-nothing-key": _change,
    **dict.fromkeys(("change-first", "change-final", "change-delegates", "change-group-again"), _change_group),
    "done-keys": _done,
}
"""The questions of the dialog that a chair with a packet can meet."""
