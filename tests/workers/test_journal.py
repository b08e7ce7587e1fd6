"""Each job is one line in the worker's log, and names the call whose report it is about."""

from __future__ import annotations

import logging
import re

import pytest
import redis

from hotline.services.line import Line
from hotline.store import queues
from hotline.store.embedded import Embedded
from tests.services.reports import confirmed, worksheet
from workers import jobs, journal, relay

CALL = "CA" + "0d" * 16


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    said = [record.getMessage() for record in caplog.records if record.name == journal.__name__]
    return [re.sub(r"ms=\d+", "ms=", each) for each in said]


def test_a_result_is_a_line_that_names_its_call(
    line: Line, connection: redis.Redis, valkey: Embedded, caplog: pytest.LogCaptureFixture
) -> None:
    """So what a caller heard and what became of it are found together."""
    caplog.set_level(logging.INFO)
    line.ledger.append([confirmed("00013", worksheet())], call=CALL)
    relay.relay(line.outbox, connection)
    queues.worker(valkey.url, "burst").work(burst=True, logging_level="CRITICAL")
    assert [f"tabulate job=tab-00013-1-1 call={CALL} came=counted ms="] == lines(caplog)


def test_outside_of_the_queue_the_line_names_what_was_asked(line: Line, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    jobs.tabulate("00013")
    assert ["tabulate job=00013 came=outstanding ms="] == lines(caplog)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("tab-00013-1-1", CALL),
        ("note-00013-1", CALL),
        *((name, None) for name in ("tab-00013-1-2", "tab-00013-1-9", "back-1", "", "tab-00013-x")),
    ],
)
def test_a_job_is_about_the_call_of_its_event(name: str, call: str | None, line: Line) -> None:
    """One that staff gave out, that is not of the outbox, or whose event is not there, is about none."""
    line.ledger.append([confirmed("00013", worksheet())], call=CALL)
    line.ledger.append([confirmed("00021", worksheet("00021"))])
    assert call == journal.call_of(line, name)
