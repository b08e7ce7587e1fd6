"""Every route says who may use it, or there is no application."""

import pytest

from hotline.errors import SetupError
from hotline.web.access import access_of, check_declared
from tests.web.web_fakes import Web

DOOR = "/staff/sign-in"


def test_every_route_declares_its_access():
    """The carrier's routes are signed, the console's are for roles but for its door; the rest are open, read-only."""
    app = Web().app
    for rule in app.url_map.iter_rules():
        access = access_of(app, rule.endpoint)
        is_carriers = rule.rule.startswith(("/voice/", "/messages/"))
        if rule.rule.startswith(("/staff", "/ops")) and rule.rule != DOOR:
            assert isinstance(access, frozenset), rule.rule
            continue
        if rule.rule == "/metrics":
            assert access == "listed"
            continue
        assert ("signed_by_twilio" if is_carriers else "open") == access, rule.rule
        if rule.rule != DOOR:
            assert ({"POST", "OPTIONS"} if is_carriers else {"GET", "HEAD", "OPTIONS"}) == rule.methods, rule.rule


def test_a_route_that_does_not_say_stops_the_start():
    """It is named."""
    app = Web().app
    app.add_url_rule("/backdoor", "backdoor", lambda: "")
    with pytest.raises(SetupError, match="/backdoor"):
        check_declared(app)


def test_every_answer_carries_its_headers():
    """No script, no frame, no guessing of types, whatever the status."""
    client = Web().client
    for path in ("/results", "/healthz", "/nowhere", "/voice/answer"):
        headers = client.get(path).headers
        assert "script" not in headers["Content-Security-Policy"]
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "nosniff" == headers["X-Content-Type-Options"]


def test_the_console_runs_our_own_script_alone():
    """None that stands in a page, none of another host; its forms go nowhere else."""
    policy = Web().client.get(DOOR).headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "form-action 'self'" in policy
    assert "unsafe" not in policy
