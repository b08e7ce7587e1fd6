"""The counts: headcount, a tally per group in both alignments, delegates per group when entered, and their checks.

A check says what the numbers come to and names each broken rule until the chair keeps it; then the rule is not named
again in that section. Whatever is kept is recorded as it stands: the phone never alters a number.

Where ballots were cast early the people in the room are keyed; a check says what the ballots add and judges everybody.
"""

from __future__ import annotations

from hotline.caucus.checks import section_findings
from hotline.caucus.viability import threshold, viable
from hotline.caucus.worksheet import Finding, Section, Worksheet
from hotline.dialog import findings, keys
from hotline.dialog.facts import Facts
from hotline.dialog.keys import Keyed
from hotline.dialog.move import Move, given, onward, repeated, steered
from hotline.dialog.reply import Words
from hotline.dialog.script import Script, open_groups, section_of
from hotline.dialog.session import Session, asking
from hotline.dialog.values import replace
from hotline.events.kinds import Alignment, DelegatesGiven, Event, FindingsKept, HeadcountGiven, TallyGiven

_ASK = {"first": "first", "final": "final", "delegates": "delegates-of"}
_TOTAL = {"first": "first-total", "final": "final-total", "delegates": "delegates-total"}


def headcount_full(session: Session, script: Script) -> tuple[Words, ...]:
    """How many were there."""
    return _heard(session) or (*_where_early(session, script, "early-headcount"), Words("headcount"))


def headcount_short(session: Session, script: Script) -> tuple[Words, ...]:
    """How many were there, once more."""
    return _heard(session) or (*_where_early(session, script, "early-room"), Words("headcount-again"))


def zero_full(session: Session, script: Script) -> tuple[Words, ...]:
    """Whether really nobody came."""
    return (*_where_early(session, script, "early-zero"), Words("headcount-zero"))


def take_headcount(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """A number of people; zero is asked about, as a slip of the finger would end the report."""
    count = keys.count(keyed)
    if count is None or keyed.timed_out:
        return _unsure(session, count)
    if count == 0:
        return Move(asking(session, "headcount.zero"))
    return given(session, script, (HeadcountGiven(session.site, count),), Words("echo-people", {"count": count}))


def take_zero(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Nobody came, or the headcount again."""
    match keys.choice(keyed, "12"):
        case "1":
            return given(session, script, (HeadcountGiven(session.site, 0),), Words("echo-nobody"))
        case "2":
            return Move(asking(session, "headcount"))
        case _:
            return None


def tally_full(session: Session, script: Script) -> tuple[Words, ...]:
    """One group's count, with its section named."""
    section, group = _asked(session)
    room = () if section == "delegates" else _where_early(session, script, "early-room")
    return _heard(session) or (*room, Words(_ASK[section], {"group": script.spoken(group)}))


def tally_next(session: Session, script: Script) -> tuple[Words, ...]:
    """One group's count when the group before it was just given."""
    return (Words("next", {"group": script.spoken(_asked(session)[1])}),)


def tally_short(session: Session, script: Script) -> tuple[Words, ...]:
    """One group's count, the name alone."""
    return _heard(session) or (Words("group", {"group": script.spoken(_asked(session)[1])}),)


def take_tally(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """A group's people or delegates, as keyed."""
    count = keys.count(keyed)
    if count is None or keyed.timed_out:
        return _unsure(session, count)
    section, group = _asked(session)
    event = _counted(session.site, section, group, count)
    return given(_unfilled(session, section), script, (event,), Words("echo", {"count": count}))


def zero_rest(session: Session, script: Script) -> Move:
    """`*3#`: zero for this group and every group of the section not yet answered. `*2#` comes back to here."""
    section, group = _asked(session)
    rest = tuple(other for other in open_groups(script, session.report, section) if other != group)
    events = tuple(_counted(session.site, section, zeroed, 0) for zeroed in (group, *rest))
    filled = {**session.filled, section: tuple(f"{section}.{zeroed}" for zeroed in (group, *rest))}
    echo = Words("echo-zero-rest" if rest else "echo", {"group": script.spoken(group)} if rest else {"count": 0})
    return given(replace(session, filled=filled), script, events, echo)


def check_full(session: Session, script: Script) -> tuple[Words, ...]:
    """What the section comes to, the rules it breaks, and the choice."""
    return (*_sums(session, script), *_named(session, script), *check_short(session, script))


def check_short(session: Session, script: Script) -> tuple[Words, ...]:
    """The choice alone."""
    return (Words("check-broken-keys" if _unkept(session, script) else "check-keys"),)


def take_check(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Go on, keeping what is broken as the worksheet says, or change something."""
    match keys.choice(keyed, "12"):
        case "1":
            return _passed(session, script)
        case "2":
            return Move(asking(session, "change"))
        case _:
            return None


def _passed(session: Session, script: Script) -> Move:
    section = _checked(session)
    standing = tuple(dict.fromkeys(finding.code for finding in _broken(session, script)))
    is_new = bool(set(standing) - set(session.report.kept.get(section, ())))
    echo = (Words("echo-kept"),) if is_new else ()
    checked = steered(session, checked=tuple(dict.fromkeys((*session.report.checked, section))))
    if standing == session.report.kept.get(section, ()):
        return onward(checked, script, (), *echo)
    return given(checked, script, (FindingsKept(session.site, section, standing),), *echo)


def _asked(session: Session) -> tuple[Section, str]:
    section = section_of(session.state)
    assert section, f"{session.state} asks for no count"
    return section, session.state.partition(".")[2]


def _checked(session: Session) -> Section:
    return _asked(session)[0]


def _counted(site: str, section: Section, group: str, count: int) -> Event:
    if section == "delegates":
        return DelegatesGiven(site, group, count)
    return TallyGiven(site, section, group, count)


def _unfilled(session: Session, section: Section) -> Session:
    """What `*3#` filled is the chair's own once one of its questions is answered: `*2#` opens no group again."""
    if session.state not in session.filled.get(section, ()):
        return session
    return replace(session, filled={other: rest for other, rest in session.filled.items() if other != section})


def _where_early(session: Session, script: Script, prompt: str) -> tuple[Words, ...]:
    """Words that only a precinct with early ballots hears: whom to key."""
    return (Words(prompt),) if script.has_early(session.site) else ()


def _heard(session: Session) -> tuple[Words, ...]:
    """A count ended by time is asked about before it counts."""
    return () if session.pending is None else (Words("heard-count", {"count": session.pending}),)


def _unsure(session: Session, count: int | None) -> Move | None:
    return None if count is None else repeated(replace(session, pending=count))


def _sums(session: Session, script: Script) -> tuple[Words, ...]:
    """The total; for both alignments the threshold and who reaches it, where a threshold applies."""
    section, keyed = _checked(session), session.report.worksheet()
    everybody = script.everybody(session.site, keyed)
    total = sum(session.report.counts(section).values())
    elects = script.delegates(session.site, everybody)
    if section == "delegates":
        return (Words(_TOTAL[section], {"total": total, "delegates": elects}),)
    added = () if everybody is keyed else _added(session, script, section, everybody)
    said = (Words(_TOTAL[section], {"total": total}), *added)
    return said if elects == 1 else (*said, *_viability(script, everybody, section, elects))


def _added(session: Session, script: Script, section: Alignment, everybody: Worksheet) -> tuple[Words, ...]:
    """What the early ballots add to an alignment, and how many of them name nobody who is still standing."""
    votes = script.early(session.site, everybody)
    tallies, in_all = (votes.first, everybody.first) if section == "first" else (votes.final, everybody.final)
    added, left_out = sum(tallies.values()), votes.exhausted if section == "final" else 0
    total = sum(in_all.values())
    adds = Words("early-adds", {"count": added, "groups": script.told(tallies), "total": total})
    exhausted = Words("early-exhausted", {"count": left_out})
    return (*((adds,) if added else ()), *((exhausted,) if left_out else ()))


def _viability(script: Script, everybody: Worksheet, section: Alignment, elects: int) -> tuple[Words, ...]:
    smallest = threshold(script.contest.rules, elects, everybody.headcount or 0)
    reach = viable(everybody.first if section == "first" else everybody.final, smallest)
    names = ", ".join(script.spoken(group) for group in script.groups if group in reach)
    who = Words("viable", {"groups": names}) if names else Words("viable-none")
    return (Words("threshold", {"threshold": smallest}), who)


def _broken(session: Session, script: Script) -> tuple[Finding, ...]:
    """The hard findings of the section: notices are recorded, not spoken."""
    sheet = script.everybody(session.site, session.report.worksheet())
    found = section_findings(script.contest, script.precinct(session.site), _checked(session), sheet)
    return tuple(finding for finding in found if finding.severity == "hard")


def _unkept(session: Session, script: Script) -> tuple[Finding, ...]:
    kept = session.report.kept.get(_checked(session), ())
    return tuple(finding for finding in _broken(session, script) if finding.code not in kept)


def _named(session: Session, script: Script) -> tuple[Words, ...]:
    return tuple(words for finding in _unkept(session, script) for words in findings.spoken(finding, script))
