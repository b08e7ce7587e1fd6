"""Texts to the numbers on file: when somebody signed in after others had failed."""

from __future__ import annotations

import logging

import pytest

from hotline.events.verification import NoticeWanted
from hotline.services import outgoing
from hotline.services.tabulation import tabulate
from tests.services.callers import Caller, sid
from tests.services.numbered import CHAIR, CODE, STRANGER, WRONG, Ringing, events, numbered_line
from tests.services.reports import confirm, worksheet

line = numbered_line


@pytest.fixture
def packet(line):
    return line.pins.issue([CODE])[0]


def test_a_success_after_failures_elsewhere_is_told_to_the_numbers_on_file(line, packet):
    """By text, with no code and no number of anybody in it; the job is done with once."""
    for n, pin in enumerate(WRONG[:3]):
        stranger = Caller(line, sid(n + 1), f"+1515555{n + 300:04}")
        stranger.ring()
        stranger.keys(CODE, pin)
    caller = Caller(line, sid(50), STRANGER)
    caller.ring()
    caller.keys(CODE, packet.pin)
    assert events(line, NoticeWanted) == [NoticeWanted(CODE, "failures-elsewhere")]
    (job,) = line.outbox.pending()
    carrier = Ringing()
    assert outgoing.tell(line, carrier, job.job, job.precinct) == 1
    ((number, words),) = carrier.told
    assert number == CHAIR
    assert "1 Northwest Adair" in words
    assert not any(secret in words for secret in (CODE, packet.pin, STRANGER))
    assert line.outbox.backlog().depth == 0


def test_without_a_number_of_ours_a_text_is_given_up_with_a_word_in_the_log(line, caplog):
    """A practice line tells nobody, and says so."""
    line.ledger.append([NoticeWanted(CODE, "failures-elsewhere")])
    (job,) = line.outbox.pending()
    with caplog.at_level(logging.WARNING):
        assert outgoing.tell(line, None, job.job, job.precinct) == 0
    assert "HOTLINE_NUMBERS" in caplog.text
    assert line.outbox.backlog().depth == 0


def test_working_a_precinct_out_does_not_do_away_with_its_notice(line):
    """Nor does having all results worked out afresh send it again."""
    line.ledger.append([NoticeWanted(CODE, "failures-elsewhere")])
    confirm(line, CODE, worksheet())
    tabulate(line, CODE)
    (job,) = line.outbox.pending()
    assert job.is_notice
    outgoing.tell(line, Ringing(), job.job, job.precinct)
    line.outbox.requeue()
    assert [each.is_notice for each in line.outbox.pending()] == [False]
