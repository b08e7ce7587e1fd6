"""Each page of the console is refused to whoever may not use it: the map of addresses is walked, role by role."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from flask import Flask

from hotline.events.staff import ROLES
from hotline.services.line import Line
from hotline.web.access import access_of
from hotline.web.app import create_app
from tests.lines import line_on
from tests.store.held import HeldClock
from tests.web.console.desks import Desk, seated

EVERYBODY = set(ROLES)
WORKERS = {"agent", "supervisor"}
AUDITORS = {"supervisor", "auditor", "admin"}
MAY: Mapping[str, set[str]] = {
    "GET /staff": EVERYBODY,
    "GET /ops/": EVERYBODY,
    "GET /ops/figures": EVERYBODY,
    "GET /staff/password": EVERYBODY,
    "POST /staff/password": EVERYBODY,
    "POST /staff/sign-out": EVERYBODY,
    "GET /staff/calls": EVERYBODY,
    "GET /staff/calls/<call>": EVERYBODY,
    "POST /staff/calls/<call>/claim": WORKERS,
    "POST /staff/calls/<call>/judge": WORKERS,
    "POST /staff/calls/<call>/undo": WORKERS,
    "POST /staff/calls/<call>/block": WORKERS,
    "GET /staff/reports": EVERYBODY,
    "GET /staff/reports/<code>": EVERYBODY,
    "GET /staff/reports/<code>/correct": WORKERS,
    "POST /staff/reports/<code>/correct": WORKERS,
    "POST /staff/reports/<code>/claim": WORKERS,
    "POST /staff/reports/<code>/decide": WORKERS,
    "GET /staff/precincts": EVERYBODY,
    "GET /staff/precincts/<code>": EVERYBODY,
    "POST /staff/precincts/<code>/call-back": WORKERS,
    "POST /staff/precincts/<code>/propose": WORKERS,
    "POST /staff/precincts/<code>/reissue": {"supervisor"},
    "POST /staff/calls/<call>/reveal": WORKERS,
    "GET /staff/callers": EVERYBODY,
    "POST /staff/callers/number": EVERYBODY,
    "POST /staff/callers/lift": WORKERS,
    "POST /staff/callers/act": WORKERS,
    "GET /staff/audit": AUDITORS,
    "GET /staff/audit.csv": AUDITORS,
    "GET /staff/audit.json": AUDITORS,
    "GET /staff/proposals/<int:proposal>": EVERYBODY,
    "POST /staff/proposals/<int:proposal>/approve": {"supervisor"},
    "POST /staff/proposals/<int:proposal>/decline": WORKERS,
}
"""Who may use what, written down once more: a route that is not here is a decision to be taken here."""
EXAMPLES = {"code": "15338", "version": "1", "call": "CA" + "0a" * 16, "proposal": "1", "key": "0" * 32}


@pytest.fixture(scope="module")
def line(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    opened = line_on(database, tmp_path_factory.mktemp("roles"), HeldClock())
    yield opened
    opened.ledger.engine.dispose()


@pytest.fixture(scope="module")
def app(line: Line) -> Flask:
    return create_app(line)


@pytest.fixture(scope="module")
def desks(app: Flask, line: Line) -> dict[str, Desk]:
    """One of each role."""
    return {role: seated(app, line, f"{role}-one", role) for role in ROLES}


def doors(app: Flask) -> Iterator[tuple[str, str]]:
    """Method and rule of every address for staff."""
    for rule in app.url_map.iter_rules():
        if isinstance(access_of(app, rule.endpoint), frozenset):
            yield from ((method, rule.rule) for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}))


def test_who_may_what_is_written_down(app: Flask) -> None:
    """What the routes declare is what stands above, no more and no less."""
    declared = {
        f"{method} {rule.rule}": set(access)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if isinstance(access := access_of(app, rule.endpoint), frozenset)
    }
    assert declared == MAY


def test_refusal_is_real(app: Flask, desks: dict[str, Desk]) -> None:
    """Asked with a valid session and form, each address refuses the roles that are not its own, and those alone."""
    wrong = []
    for method, rule in doors(app):
        if rule.endswith("/sign-out"):
            continue
        path = re.sub(r"<(?:[^:<>]*:)?([^<>]+)>", lambda found: EXAMPLES[found[1]], rule)
        for role, desk in desks.items():
            answer = desk.get(path) if method == "GET" else desk.post(path)
            is_refused = answer.status_code == 403
            if is_refused == (role in MAY[f"{method} {rule}"]):
                wrong.append(f"{method} {path} as {role}: {answer.status_code}")
    assert wrong == []


def test_nobody_gets_in_without_signing_in(app: Flask) -> None:
    """Whoever looks is shown the way in; a form changes nothing."""
    for method, rule in doors(app):
        path = re.sub(r"<(?:[^:<>]*:)?([^<>]+)>", lambda found: EXAMPLES[found[1]], rule)
        answer = app.test_client().open(path, method=method, data={"form": "0" * 64})
        expected = (303, True) if method == "GET" else (401, False)
        assert (answer.status_code, "/staff/sign-in" in (answer.location or "")) == expected, path


def test_every_form_without_its_mark_is_refused(app: Flask, desks: dict[str, Desk]) -> None:
    """Whatever the role may do: another site could have sent it."""
    for method, rule in doors(app):
        path = re.sub(r"<(?:[^:<>]*:)?([^<>]+)>", lambda found: EXAMPLES[found[1]], rule)
        if method == "POST":
            assert [desk.client.post(path).status_code for desk in desks.values()] == [403] * len(desks), path
