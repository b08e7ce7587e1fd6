"""Checks of the headcount and of both alignments, one function per rule.

Where early ballots were cast, headcount, threshold and who is viable count everybody, ballots included. That everybody
who aligns was counted, nobody enters and no viable group's member moves is asked of the people in the room: ballots
follow their own rule, and in the sums of both one that moved on could hide a person who did.

Sources: that a viable group is locked in and nobody enters between the rounds is the help of the 2020 Iowa reporting
app; that the threshold stays when people leave, the Nevada State Democratic Party's memo of 26 September 2019.
"""

from __future__ import annotations

from hotline.caucus.case import Breach, Case, count, numbers, told


def first_exceeds_headcount(case: Case) -> Breach | None:
    """Nobody stands in the first alignment who was not counted."""
    if case.first <= case.headcount:
        return None
    first = sum(case.room.first.values())
    headcount = case.headcount - (case.first - first)
    text = f"first alignment {first} exceeds headcount {headcount}{_room(case)}: everybody who aligns has been counted"
    return Breach(text, {"first": first, "headcount": headcount})


def nobody_came(case: Case) -> Breach | None:
    """Nobody was present: nothing is allocated."""
    return Breach("headcount 0: nobody came, nothing is allocated", {"headcount": 0}) if case.headcount == 0 else None


def final_exceeds_first(case: Case) -> Breach | None:
    """Nobody may enter between the rounds."""
    first, final = sum(case.room.first.values()), sum(case.room.final.values())
    if final <= first:
        return None
    text = f"final alignment {final} exceeds first alignment {first}{_room(case)}: nobody may enter between the rounds"
    return Breach(text, {"first": first, "final": final})


def no_viable_group(case: Case) -> Breach | None:
    """Somebody came and more than one delegate is elected, so some group must reach the threshold."""
    if case.headcount == 0 or case.elects_one or case.viable:
        return None
    largest = max(case.worksheet.final.values(), default=0)
    text = f"no final group reaches the threshold of {case.threshold}; the largest has {largest}: nothing is allocated"
    return Breach(text, {"threshold": case.threshold, "headcount": case.headcount, "largest": largest})


def viable_group_shrank(case: Case) -> Breach | None:
    """Members of a group viable at first alignment may not move."""
    everybody, first, final = case.worksheet.first, case.room.first, case.room.final
    if case.elects_one:
        return None
    groups = case.groups(lambda key: count(everybody, key) >= case.threshold and count(final, key) < count(first, key))
    if not groups:
        return None
    words = told(case, groups, lambda key: f"went from {count(first, key)} to {count(final, key)}")
    text = f"{words}{_room(case)}: viable at first alignment (threshold {case.threshold}), so its members may not move"
    facts = {"threshold": case.threshold, **numbers(groups, first=first, final=final)}
    return Breach(text, facts, groups)


def group_below_threshold_kept(case: Case) -> Breach | None:
    """A group below the threshold stayed as it was; it could have joined others. Being uncommitted is no such group."""
    final = case.worksheet.final
    if case.elects_one:
        return None
    groups = case.groups(
        lambda key: 0 < count(final, key) < case.threshold and not case.contest.by_key[key].is_uncommitted
    )
    if not groups:
        return None
    words = told(case, groups, lambda key: f"kept {count(final, key)}")
    text = f"{words} in the final alignment, below the threshold of {case.threshold}: it elects nobody"
    return Breach(text, {"threshold": case.threshold, **numbers(groups, final=final)}, groups)


def round_mismatch(case: Case) -> Breach | None:
    """Some who aligned first are not in the final alignment: they left, or their early ballot was exhausted."""
    if case.final >= case.first:
        return None
    left = case.first - case.final - case.exhausted
    why = [f"{left} left"] if left > 0 else []
    why += [f"early ballots with no viable choice: {case.exhausted}"] if case.exhausted else []
    text = f"final alignment {case.final} is below first alignment {case.first}: {', '.join(why)}"
    return Breach(text, {"first": case.first, "final": case.final})


def _room(case: Case) -> str:
    return "" if case.room is case.worksheet else " in the room"
