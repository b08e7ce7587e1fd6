"""For machines: alive says nothing else, ready says which part is degraded."""

from types import SimpleNamespace

import pytest

from hotline.errors import NotRecorded
from tests.web.web_fakes import Web


class Ledger:
    def __init__(self, trouble=None):
        self.trouble = trouble

    def head(self):
        if self.trouble:
            raise self.trouble
        return 7


def web(ledger, redis_url):
    made = Web()
    made.line.ledger = ledger
    made.line.settings = SimpleNamespace(redis_url=redis_url)
    return made.client


def test_a_process_is_alive_whatever_else():
    """Nothing behind it is asked."""
    assert {"status": "alive"} == web(Ledger(NotRecorded("gone")), None).get("/healthz").json


def test_ready_with_both(valkey, connection):
    """SQL and Redis answer: 200."""
    response = web(Ledger(), valkey.url).get("/readyz")
    assert 200 == response.status_code
    assert {"sql": "ok", "redis": "ok"} == {name: part["status"] for name, part in response.json.items()}


@pytest.mark.parametrize("redis_url", [None, "redis://127.0.0.1:9/0", "unix:///nowhere/valkey.sock"])
def test_without_redis_calls_go_on(redis_url):
    """Degraded, and still ready."""
    response = web(Ledger(), redis_url).get("/readyz")
    assert (200, "degraded") == (response.status_code, response.json["redis"]["status"])


def test_without_sql_nothing_can_be_recorded():
    """503, and no word of the database's own, which may name hosts."""
    response = web(Ledger(NotRecorded("host db.internal refused")), None).get("/readyz")
    assert (503, "degraded") == (response.status_code, response.json["sql"]["status"])
    assert "internal" not in response.text
