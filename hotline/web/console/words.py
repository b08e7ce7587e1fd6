"""What happened, in a sentence each, for histories and the audit. Text only: the page escapes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hotline.events.kinds import Event, kind_of, to_body

WHAT: Mapping[str, str] = {
    "accept": "to accept it as it stands",
    "correct": "to correct it",
    "reopen": "to reopen it",
    "close": "to close the site",
    "open": "to open the site again",
    "reissue": "to issue a new PIN",
}
"""What takes two, as one proposes it."""


def told(event: Event) -> str:
    """One event as a sentence."""
    body, kind = to_body(event), kind_of(event)
    return _TOLD[kind](body) if kind in _TOLD else _plain(kind, body)


def fields(changes: Mapping[str, int]) -> str:
    """Changed fields: "first Patrick 0, first Sanders 41"."""
    return ", ".join(f"{field.replace('.', ' ')} {value}" for field, value in changes.items())


def _plain(kind: str, body: Mapping[str, Any]) -> str:
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind).strip()
    given = ", ".join(f"{name} {value}" for name, value in body.items() if value not in ("", None))
    return f"{words}: {given}" if given else words


def _confirmed(body: Mapping[str, Any]) -> str:
    base = f", correcting version {body['base']}" if body["base"] else ""
    kept = f"; kept against {len(body['kept'])} broken rules" if body["kept"] else ""
    return f"Version {body['version']} confirmed as number {body['confirmation']}{base}{kept}"


def _proposed(body: Mapping[str, Any]) -> str:
    changes = f" ({fields(body['changes'])})" if body["changes"] else ""
    of = f": version {body['version']}" if body["version"] else ""
    return f"{body['by']} proposed {WHAT[body['what']]}{of}{changes}. {body['why']}"


def _proposed_by(body: Mapping[str, Any]) -> str:
    return f", proposed by {body['proposed_by']}" if "proposed_by" in body else ""


def _by_two(word: str) -> Callable[[Mapping[str, Any]], str]:
    def said(body: Mapping[str, Any]) -> str:
        return f"{body['by']} {word} version {body['version']}{_proposed_by(body)}. {body['why']}"

    return said


_TOLD: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "ReportConfirmed": _confirmed,
    "ReportAccepted": _by_two("accepted"),
    "ReportReopened": _by_two("reopened"),
    "ReportRejected": _by_two("rejected"),
    "ReportCorrected": lambda body: (
        f"{body['by']} approved the correction {body['proposed_by']} proposed of version {body['base']}: "
        f"{fields(body['changes'])}. {body['why']}"
    ),
    "DecisionProposed": _proposed,
    "DecisionDeclined": lambda body: f"{body['by']} declined proposal {body['proposal']}. {body['why']}",
    "VerificationWanted": lambda body: f"Version {body['version']} is to be verified by the chair ({body['why']})",
    "ReportVerified": lambda body: f"The chair, called back, said that version {body['version']} is theirs",
    "ReportDisputed": lambda body: f"The chair, called back, said that version {body['version']} is not theirs",
    "CallBackRequested": lambda body: f"The number on file is to be called ({body['why']})",
    "CallBackPlaced": lambda body: f"{body['number']} is being called",
    "CallBackAnswered": lambda _: "The called number picked up",
    "CallBackFailed": lambda body: f"The call-back reached nobody ({body['why']})",
    "CallAnswered": lambda body: f"Answered {body['caller'] or 'a withheld number'}, lane {body['lane']}",
    "CallScreened": lambda body: body.get("told") or f"{body['decision']}, score {body['score']}",
    "ChallengePassed": lambda _: "Keyed the three spoken digits",
    "ChallengeFailed": lambda _: "Missed the three spoken digits twice",
    "SignInFailed": lambda body: (
        f"Code {body['precinct']} and a PIN (••••••••) refused: {body['reason']}"
        + (f"; guessing pattern {body['pattern']}" if body["pattern"] else "")
    ),
    "ChairSignedIn": lambda body: f"Code {body['precinct']} and its PIN (••••••••) accepted",
    "CorrectionOpened": lambda body: f"Correction code (••••) accepted for version {body['version']}",
    "CorrectionRefused": lambda _: "Correction code (••••) refused",
    "HeadcountGiven": lambda body: f"Keyed headcount {body['count']}",
    "TallyGiven": lambda body: f"Keyed {body['alignment']} alignment, {body['group']} {body['count']}",
    "DelegatesGiven": lambda body: f"Keyed delegates, {body['group']} {body['count']}",
    "FindingsKept": lambda body: f"Kept {body['section']} against {', '.join(body['findings']) or 'nothing'}",
    "PersonCalledFor": lambda body: f"Went to a person ({body['why']})",
    "CallEnded": lambda body: f"Ended: {body['status']} after {body['seconds']} s, at {body['state']}",
    "CallJudged": lambda body: f"{body['by']} said: {body['word']}. {body['why']}",
    "CallUnjudged": lambda body: f"{body['by']} took {body['word']} back. {body['why']}",
    "NumberRevealed": lambda body: f"{body['by']} had the whole number of {body['caller']} shown. {body['why']}",
    "CallerBlocked": lambda body: f"{body['by']} blocked {body['caller']} until {body['until']}. {body['why']}",
    "CallerUnblocked": lambda body: f"{body['by']} let {body['caller']} in again. {body['why']}",
    "CallerMarked": lambda body: f"{body['by']} marked {body['caller']} as {body['word']}. {body['why']}",
    "SiteClosed": lambda body: f"{body['by']} closed the site{_proposed_by(body)}: {body['why']}",
    "SiteReopened": lambda body: f"{body['by']} opened the site again{_proposed_by(body)}",
    "PinReissueApproved": lambda body: f"{body['by']} issued a new PIN{_proposed_by(body)}. {body['why']}",
    "StaffAdded": lambda body: f"{body['by']} made an account for {body['name']} ({body['role']})",
    "StaffReset": lambda body: f"{body['by']} reset the account of {body['name']}",
    "StaffDisabled": lambda body: f"{body['by']} closed the account of {body['name']}",
    "StaffPasswordChanged": lambda body: f"{body['by']} chose a new password",
    "StaffSignedIn": lambda body: f"{body['by']} signed in, session {body['session']}",
    "StaffSignedOut": lambda body: f"{body['by']} signed out, session {body['session']}",
}
