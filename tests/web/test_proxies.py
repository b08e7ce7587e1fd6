"""The address a request comes from is the client's, and only a proxy that is named may say which that is."""

from __future__ import annotations

import pytest
from flask import Flask, request

from hotline.setting_values import networks
from hotline.web.proxies import BehindProxies, is_among

PROXIES = networks("HOTLINE_PROXIES", "127.0.0.1 10.0.0.0/8 fd00::/8")


@pytest.mark.parametrize(
    ("peer", "forwarded", "seen"),
    [
        ("127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.4.4.4", "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("192.0.2.1", "203.0.113.7", "192.0.2.1"),
        ("", "203.0.113.7", None),
    ],
)
def test_the_last_word_of_a_named_proxy_is_believed(peer: str, forwarded: str, seen: str | None) -> None:
    """What a client wrote itself stands before it; what a stranger says is nothing."""
    app = Flask(__name__)
    app.add_url_rule("/", "seen", lambda: str(request.remote_addr or "nobody"))
    app.wsgi_app = BehindProxies(app.wsgi_app, PROXIES)
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    told = app.test_client().get("/", headers=headers, environ_base={"REMOTE_ADDR": peer}).text
    assert (seen or "nobody") == told


@pytest.mark.parametrize(
    ("address", "is_in"), [("fd12::1", True), ("::ffff:10.0.0.1", True), ("2001:db8::1", False), ("unix:", False)]
)
def test_addresses_are_compared_as_addresses(address: str, is_in: bool) -> None:
    assert is_in == is_among(address, PROXIES)
