"""Who won the delegates: by rule, by chance among numbered outcomes, or entered as the worksheet says."""

from __future__ import annotations

from hotline.caucus.apportion import certain
from hotline.caucus.worksheet import Tallies
from hotline.dialog.facts import Facts
from hotline.dialog.keys import Keyed, choice
from hotline.dialog.move import Move, given, steered
from hotline.dialog.reply import Words
from hotline.dialog.script import Script, split
from hotline.dialog.session import Session, asking
from hotline.events.kinds import DelegatesSettled, Origin

_BY_CHANCE = {
    "coin toss": ("delegates-coin-toss", "delegates-coin-toss-seats"),
    "high card": ("delegates-high-card", "delegates-high-card-seats"),
}


def full(session: Session, script: Script) -> tuple[Words, ...]:
    """The split by rule, or its certain part and the outcomes of chance by number."""
    offered = _offered(session, script)
    elects = script.delegates(session.site, script.everybody(session.site, session.report.worksheet()))
    if len(offered) == 1 and elects == 1:
        return (Words("delegates-largest", {"group": _names(script, offered[0])}), Words("delegates-rule-keys"))
    if len(offered) == 1:
        return (Words("delegates-rule", {"groups": script.told(offered[0])}), Words("delegates-rule-keys"))
    sure = certain(offered)
    opening = (Words("delegates-certain", {"groups": script.told(sure)}),) if any(sure.values()) else ()
    return (*opening, *short(session, script))


def short(session: Session, script: Script) -> tuple[Words, ...]:
    """The choices alone."""
    offered = _offered(session, script)
    if len(offered) == 1:
        return (Words("delegates-rule-keys"),)
    sure = certain(offered)
    options = (
        Words("delegates-option", {"key": key, "groups": _names(script, _beyond(outcome, sure))})
        for key, outcome in enumerate(offered, start=1)
    )
    return (_chance(script, sum(offered[0].values()) - sum(sure.values())), *options, Words("delegates-enter-key"))


def take(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """The split as offered, the outcome that happened, or on to entering what the worksheet says."""
    offered = _offered(session, script)
    numbered = "".join(str(key) for key in range(1, len(offered) + 1))
    chosen = choice(keyed, numbered + ("2" if len(offered) == 1 else "9"))
    if chosen is None:
        return None
    if chosen not in numbered:
        entering = steered(session, is_entering=True)
        return Move(asking(entering, f"delegates.{script.groups[0]}"), echo=(Words("echo-entering"),))
    outcome = offered[int(chosen) - 1]
    if len(offered) == 1:
        return _settled(session, script, "rule", outcome, Words("echo-by-rule"))
    won = _names(script, _beyond(outcome, certain(offered)))
    return _settled(session, script, "chance", outcome, Words("echo-won", {"groups": won}))


def _offered(session: Session, script: Script) -> tuple[Tallies, ...]:
    return split(script, session.site, session.report)


def _chance(script: Script, seats: int) -> Words:
    """How the last delegates were decided in the room."""
    one, more = _BY_CHANCE.get(script.contest.rules.chance, ("delegates-chance", "delegates-chance-seats"))
    return Words(one) if seats == 1 else Words(more, {"seats": seats})


def _settled(session: Session, script: Script, origin: Origin, outcome: Tallies, echo: Words) -> Move:
    delegates = {group: outcome.get(group, 0) for group in script.groups}
    return given(session, script, (DelegatesSettled(session.site, origin, delegates),), echo)


def _beyond(outcome: Tallies, sure: Tallies) -> Tallies:
    return {group: count - sure.get(group, 0) for group, count in outcome.items()}


def _names(script: Script, counts: Tallies) -> str:
    return ", ".join(script.spoken(group) for group in script.groups if counts.get(group, 0))
