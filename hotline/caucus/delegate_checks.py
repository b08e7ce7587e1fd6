"""Checks of the delegates, one function per rule. They are judged only where there is something to divide.

Sources: `apportion` for the split; that one delegate may go to any group with support, the help of the 2020 Iowa
reporting app.
"""

from __future__ import annotations

from collections.abc import Sequence

from hotline.caucus.case import Breach, Case, count, numbers, split, told
from hotline.caucus.worksheet import Tallies


def empty_group_given_delegates(case: Case) -> Breach | None:
    """A group with nobody in it elects nobody."""
    final, delegates = case.worksheet.final, case.worksheet.delegates
    groups = case.groups(lambda key: count(final, key) == 0 and count(delegates, key) > 0)
    if not groups or not (case.allocates or case.headcount == 0):
        return None
    words = told(case, groups, lambda key: f"has delegates ({count(delegates, key)})")
    return Breach(f"{words} with nobody in its final group", numbers(groups, final=final, delegates=delegates), groups)


def nonviable_given_delegates(case: Case) -> Breach | None:
    """A group below the threshold elects nobody."""
    final, delegates = case.worksheet.final, case.worksheet.delegates
    if case.elects_one or not case.allocates:
        return None
    groups = case.groups(lambda key: 0 < count(final, key) < case.threshold and count(delegates, key) > 0)
    if not groups:
        return None
    words = told(case, groups, lambda key: f"with {count(final, key)} has delegates ({count(delegates, key)})")
    facts = {"threshold": case.threshold, **numbers(groups, final=final, delegates=delegates)}
    return Breach(f"{words}: below the threshold of {case.threshold}, so it elects nobody", facts, groups)


def viable_without_delegate(case: Case) -> Breach | None:
    """Every viable group elects one, where there are delegates enough for all of them."""
    delegates = case.worksheet.delegates
    if case.elects_one or not case.allocates or case.allotment < len(case.viable):
        return None
    groups = case.groups(lambda key: key in case.viable and count(delegates, key) == 0)
    if not groups:
        return None
    words = told(case, groups, lambda key: f"with {count(case.worksheet.final, key)} has no delegate")
    facts = {"threshold": case.threshold, "viable": len(case.viable), "allotment": case.allotment}
    facts |= numbers(groups, final=case.worksheet.final)
    text = (
        f"{words}: viable (threshold {case.threshold}), and {case.allotment} delegates are enough for all viable groups"
    )
    return Breach(text, facts, groups)


def delegates_over_allotment(case: Case) -> Breach | None:
    """No more delegates than the site elects, or than the rule set itself adds so that each viable group keeps one."""
    keeps_one = case.contest.rules.more_viable_than_delegates == "each-keeps-one" and not case.elects_one
    most = max(case.allotment, len(case.viable)) if keeps_one else case.allotment
    if not case.allocates or case.delegates <= most:
        return None
    added = f" ({most - case.allotment} added so that each viable group keeps one)" if most > case.allotment else ""
    text = f"{case.delegates} delegates reported, {most} elected here{added}: {case.delegates - most} too many"
    return Breach(text, {"delegates": case.delegates, "allotment": most})


def delegates_under_allotment(case: Case) -> Breach | None:
    """Every delegate the site elects is elected."""
    if not case.allocates or case.delegates >= case.allotment:
        return None
    text = (
        f"{case.delegates} delegates reported, {case.allotment} elected here: {case.allotment - case.delegates} missing"
    )
    return Breach(text, {"delegates": case.delegates, "allotment": case.allotment})


def more_support_fewer_delegates(case: Case) -> Breach | None:
    """A larger group never has fewer delegates than a smaller one."""
    final, delegates = case.worksheet.final, case.worksheet.delegates
    if case.elects_one or not case.allocates:
        return None
    pair = _order_broken(case.contest.keys, final, delegates)
    if pair is None:
        return None
    larger, smaller = pair
    won = {key: f"{count(delegates, key)} delegate{'' if count(delegates, key) == 1 else 's'}" for key in pair}
    words = [f"{case.name(key)} with {count(final, key)} has {won[key]}" for key in pair]
    text = f"{words[0]} but {words[1]}: a larger group never has fewer"
    return Breach(text, numbers(pair, final=final, delegates=delegates), (larger, smaller))


def delegates_not_by_rule(case: Case) -> Breach | None:
    """The split is one of the legal outcomes."""
    delegates = case.worksheet.delegates
    if case.elects_one or case.division is None or case.division.allows(delegates):
        return None
    legal, ways = case.division.example(), case.division.ways
    rule = split(case, legal) + (f", or another of {ways} outcomes by chance" if ways > 1 else "")
    text = f"delegates {split(case, delegates) or 'none'} are not by the rule, which gives {rule}"
    groups = case.groups(lambda key: count(delegates, key) != count(legal, key))
    facts = {"allotment": case.allotment, "outcomes": ways, **numbers(groups, delegates=delegates)}
    return Breach(text, facts, groups)


def single_delegate_not_plurality(case: Case) -> Breach | None:
    """The one delegate usually goes to the largest group; another winner is unusual, not provably wrong."""
    final = case.worksheet.final
    if not case.elects_one or not case.allocates:
        return None
    largest = max(final.values(), default=0)
    groups = case.groups(lambda key: count(case.worksheet.delegates, key) > 0 and count(final, key) < largest)
    if not groups:
        return None
    words = told(case, groups, lambda key: f"with {count(final, key)} has the one delegate")
    return Breach(
        f"{words}; the largest group has {largest}", {"largest": largest, **numbers(groups, final=final)}, groups
    )


def tie_by_chance(case: Case) -> Breach | None:
    """More than one split is legal: chance decided in the room."""
    if case.division is None or not case.division.seats:
        return None
    tied, ways = case.division.tied, case.division.ways
    groups = case.groups(lambda key: key in tied)
    names = ", ".join(case.name(key) for key in groups)
    text = f"{ways} outcomes are legal: {case.contest.rules.chance} among {names} for {case.division.seats}"
    return Breach(text, {"outcomes": ways, "seats": case.division.seats}, groups)


def _order_broken(groups: Sequence[str], final: Tallies, delegates: Tallies) -> tuple[str, str] | None:
    """The first (larger, smaller) pair of groups in the wrong order of delegates, or None. The smaller one has some."""
    rows = [(group, count(final, group), count(delegates, group)) for group in groups]
    winners = [row for row in rows if row[2]]
    pairs = (
        (larger, smaller) for larger, size, won in rows for smaller, less, more in winners if size > less and won < more
    )
    return next(pairs, None)
