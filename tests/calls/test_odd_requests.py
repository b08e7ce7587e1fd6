"""What a real line answers to requests no conversation would make: words or a status, and nothing written."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotline.practice.phone import in_process
from hotline.web.app import create_app
from tests.lines import ACCOUNT, BASE, TOKEN

SID = "CA" + "0b" * 16


@pytest.fixture
def line(line_of):
    return line_of("iowa-2020")


@pytest.fixture
def ask(line):
    """Send one signed request of the carrier."""
    post = in_process(create_app(line).test_client(), TOKEN)

    def send(path, sid=SID, **fields):
        whole = {"CallSid": sid, "AccountSid": ACCOUNT, "From": "+15155550100", "To": "+15155550199"} | fields
        return post(BASE + path, whole)

    return send


def kinds(line):
    """What the ledger holds, in order."""
    return [type(each.event).__name__ for each in line.ledger.events()]


def said(answer):
    """The words of a document, and where its keys go."""
    root = ET.fromstring(answer.body)
    gather = root.find("Gather")
    return " ".join(say.text for say in root.iter("Say")), gather.get("action") if gather is not None else None


def test_a_repeated_request_gets_the_same_bytes(ask, line):
    """The carrier's second try, of the ring or of a turn, changes nothing."""
    first = ask("/voice/answer")
    again = ask("/voice/answer")
    turn = ask("/voice/turn/1", Digits="00045", FinishedOnKey="#")
    held = kinds(line)
    repeated = ask("/voice/turn/1", Digits="00053", FinishedOnKey="#")
    assert first == again
    assert turn == repeated
    assert held == kinds(line)


@pytest.mark.parametrize("number", [2, 3, 50, 99999])
def test_a_turn_out_of_order_gets_the_current_question(ask, line, number):
    """Nothing is taken, and the keys that follow belong to the turn that is due."""
    question = ask("/voice/answer")
    held = kinds(line)
    answer = ask(f"/voice/turn/{number}", Digits="00045", FinishedOnKey="#")
    assert (200, "/voice/turn/1") == (answer.status, said(answer)[1])
    assert "precinct code" in said(answer)[0]
    assert said(question)[1] == said(answer)[1]
    assert held == kinds(line)


@pytest.mark.parametrize("path", ["/voice/turn/1", "/voice/ended"])
def test_a_call_nobody_answered(ask, line, path):
    """404 and nothing written."""
    assert 404 == ask(path, sid="CA" + "0c" * 16, Digits="1", CallStatus="completed").status
    assert [] == kinds(line)


def test_the_fallback_speaks_for_any_call(ask, line):
    """Known or not: words, and a promise where no person can be reached."""
    answer = ask("/voice/fallback", sid="CA" + "0d" * 16, ErrorCode="11200", ErrorUrl=BASE + "/voice/turn/9")
    assert 200 == answer.status
    assert "sorry" in said(answer)[0]


def test_a_late_status_changes_nothing(ask, line):
    """The first word on a call's end stays, whatever comes later."""
    ask("/voice/answer")
    ask("/voice/ended", CallStatus="completed", CallDuration="60")
    held = kinds(line)
    assert 204 == ask("/voice/ended", CallStatus="failed", CallDuration="61").status
    assert 204 == ask("/voice/ended", CallStatus="in-progress").status
    assert held == kinds(line)
    assert 1 == held.count("CallEnded")


def test_a_person_who_could_not_be_reached_is_promised_a_call_back(ask, line):
    """After the staff's phones rang in vain."""
    ask("/voice/answer")
    answer = ask("/voice/queue/left", DialCallStatus="no-answer")
    assert "call you back" in said(answer)[0]
    assert "CallBackPromised" in kinds(line)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    answers=st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "Digits": st.sampled_from(["", "*", "#", "00045", "twelve", "7" * 40, "٣", "*0", "*1", "' OR 1=1"])
                | st.text("0123456789*#", max_size=9),
                "FinishedOnKey": st.sampled_from(["", "#"]),
            },
        ),
        max_size=8,
    )
)
def test_any_answers_lead_to_words(ask, line, answers):
    """Whatever is sent for a question: a document that speaks, and then listens, hands over or ends."""
    sid = f"CA{line.clock.token(16)}"
    document = ask("/voice/answer", sid=sid)
    for fields in answers:
        words, action = said(document)
        assert words
        if action is None:
            break
        document = ask(action, sid=sid, **fields)
        assert (200, "text/xml") == (document.status, document.content_type.partition(";")[0])
        assert ET.fromstring(document.body)[-1].tag in ("Redirect", "Hangup", "Dial")
