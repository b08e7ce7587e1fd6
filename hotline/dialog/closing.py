"""The end of a report: the read-back, changing something, and the confirmation number."""

from __future__ import annotations

from hotline.caucus.worksheet import Tallies, Worksheet
from hotline.dialog.draft import Draft
from hotline.dialog.facts import Facts
from hotline.dialog.keys import Keyed, choice
from hotline.dialog.move import Move, onward, steered, to_person
from hotline.dialog.reply import Words
from hotline.dialog.script import Script, next_question
from hotline.dialog.session import Session, asking
from hotline.dialog.sign_in import spaced
from hotline.dialog.values import replace
from hotline.events.kinds import Counted, ReportConfirmed

_READ = {
    "first": ("readback-first", "readback-first-whole", "readback-first-zero"),
    "final": ("readback-final", "readback-final-whole", "readback-final-zero"),
    "delegates": ("readback-delegates", "readback-delegates-whole", "readback-delegates-zero"),
}
_SECTIONS = {"2": "first", "3": "final", "4": "delegates"}
_OFFER = {"2": "change-first-key", "3": "change-final-key", "4": "change-delegates-key"}


def readback_full(session: Session, script: Script) -> tuple[Words, ...]:
    """Every number of the report, then the choice."""
    return (*totals(session.site, session.report, script), Words("readback-keys"))


def totals(code: str, report: Draft | ReportConfirmed, script: Script) -> tuple[Words, ...]:
    """A report read out: the headcount, then each section's groups that are not zero.

    Where ballots were cast early, each number keyed is followed by the one counted, if it is another.
    """
    keyed = Worksheet(report.headcount or 0, report.first, report.final, report.delegates)
    everybody = script.everybody(code, keyed)
    headcount = (Words("early-in-all", {"count": everybody.headcount or 0}),) if everybody is not keyed else ()
    return (
        Words("readback-headcount", {"count": report.headcount or 0}),
        *headcount,
        _section("first", report.first, script),
        *_differing(report.first, everybody.first, script),
        _section("final", report.final, script),
        *_differing(report.final, everybody.final, script),
        _section("delegates", report.delegates, script),
    )


def take_readback(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Confirm, change, or hear it again."""
    match choice(keyed, "123"):
        case "1":
            return _confirmed(session, facts, script)
        case "2":
            return Move(asking(session, "change"))
        case "3":
            return Move(session)
        case _:
            return None


def change_full(session: Session, script: Script) -> tuple[Words, ...]:
    """What should be changed? Only what has been given is offered."""
    offered = _given(session.report)
    parts = (Words(prompt) for key, prompt in _OFFER.items() if key in offered)
    return (Words("change"), *parts, Words("change-nothing-key"))


def take_change(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """The headcount, one section, or nothing after all."""
    chosen = choice(keyed, f"1{_given(session.report)}5")
    if chosen is None:
        return None
    if chosen == "1":
        return Move(asking(session, "headcount"))
    if chosen == "5":
        return _nothing(session, script)
    return Move(asking(session, f"change.{_SECTIONS[chosen]}"))


def group_full(session: Session, script: Script) -> tuple[Words, ...]:
    """Which group, by its number on the worksheet."""
    return (Words({"first": "change-first", "final": "change-final"}.get(_section_up(session), "change-delegates")),)


def take_group(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """One group's count is asked again, or every group's."""
    number = int(keyed.text)
    if number > len(script.groups):
        return None
    section = _section_up(session)
    if number:
        return Move(asking(session, f"{section}.{script.groups[number - 1]}"))
    every = tuple(f"{section}.{group}" for group in script.groups)
    return Move(asking(steered(session, again=every), every[0]), echo=(Words("echo-all"),))


def done_full(session: Session, script: Script) -> tuple[Words, ...]:
    """Recorded, and its number twice. The same words whether or not the report is held."""
    confirmation = {"confirmation": spaced(session.confirmation)}
    return (Words("done", confirmation), Words("done-call-back"), Words("done-keys"))


def done_short(session: Session, script: Script) -> tuple[Words, ...]:
    """The number once more."""
    return (Words("done-again", {"confirmation": spaced(session.confirmation)}), Words("done-keys"))


def take_done(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Another precinct, with its own code and PIN."""
    if choice(keyed, "1") is None:
        return None
    after = replace(session, state="code", precinct=None, filed=None, confirmation="", offers_on_file=False)
    return Move(after, echo=(Words("echo-another"),))


def _section(section: str, counts: Tallies, script: Script) -> Words:
    """One section, non-zero groups only."""
    some_zero, none_zero, all_zero = _READ[section]
    named = [group for group in script.groups if counts.get(group, 0)]
    if not named:
        return Words(all_zero)
    return Words(none_zero if len(named) == len(script.groups) else some_zero, {"groups": script.told(counts)})


def _differing(keyed: Tallies, counted: Tallies, script: Script) -> tuple[Words, ...]:
    """The groups whose early ballots make another number of what was keyed."""
    other = {group: count for group, count in counted.items() if count != keyed.get(group, 0)}
    return (Words("early-groups", {"groups": script.told(other)}),) if other else ()


def _given(draft: Draft) -> str:
    """The keys of the sections with something given."""
    return "".join(key for key, section in _SECTIONS.items() if draft.counts(section))


def _section_up(session: Session) -> str:
    return session.state.partition(".")[2]


def _nothing(session: Session, script: Script) -> Move:
    """Nothing to change after all: back to the check it came from, or on with what is open."""
    came_from = session.history[-1] if session.history else ""
    if came_from.endswith(".check"):
        return Move(replace(session, state=came_from, history=session.history[:-1]))
    return onward(session, script)


def _confirmed(session: Session, facts: Facts, script: Script) -> Move:
    """A version of the report, under its number. Without a number nothing is confirmed."""
    draft = session.report
    if next_question(script, session.site, draft) != "readback":
        return onward(session, script)
    if facts.version is None or facts.confirmation is None:
        return to_person(session, "not-recorded", Words("not-recorded"))
    confirmed = ReportConfirmed(
        session.site,
        facts.version,
        facts.confirmation,
        draft.headcount or 0,
        _some(draft.first),
        _some(draft.final),
        _some(draft.delegates),
        draft.origin or "rule",
        tuple(dict.fromkeys(code for section in _READ for code in draft.kept.get(section, ()))),
        draft.base,
        _counted(session, script),
    )
    after = replace(session, state="done", draft=None, history=(), filled={}, is_opened=False, is_cleared=False)
    return Move(replace(after, confirmation=facts.confirmation), (confirmed,))


def _counted(session: Session, script: Script) -> Counted | None:
    """The figures that were read out beside the keyed ones; None where no ballot was cast early."""
    keyed = session.report.worksheet()
    everybody = script.everybody(session.site, keyed)
    if everybody is keyed:
        return None
    return {
        "headcount": everybody.headcount or 0,
        "first": _some(everybody.first),
        "final": _some(everybody.final),
    }


def _some(counts: Tallies) -> Tallies:
    return {group: count for group, count in counts.items() if count}
