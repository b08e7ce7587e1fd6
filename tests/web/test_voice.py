"""The carrier's doors: only signed requests come in, and whatever breaks, a caller hears words."""

import logging
import xml.etree.ElementTree as ET
from urllib.parse import urlencode

import pytest

from hotline.dialog.facts import Heard
from hotline.errors import NotRecorded
from hotline.practice.signer import HEADER, sign
from hotline.telephony.inbound import CallFailure, CallStatus, InboundCall, InboundTurn, QueueLeft
from tests.web.web_fakes import ACCOUNT, BASE, SID, TOKEN, Web, unknown_call

TALKING = ["/voice/answer", "/voice/turn/1", "/voice/fallback", "/voice/queue/left"]
SIGNED = [*TALKING, "/voice/ended", "/messages/incoming"]


@pytest.fixture
def web():
    return Web()


def words(response):
    """What a caller hears of a document, and the verb it ends with."""
    assert response.mimetype == "text/xml"
    root = ET.fromstring(response.text)
    return " ".join(say.text for say in root.iter("Say")), root[-1].tag


def test_each_door_hands_intake_what_was_sent(web):
    """Parsed values in, the document out."""
    caller = "+15155550100"
    for path, fields, asked in [
        ("/voice/answer", {"To": "+15155550199"}, ("answer", InboundCall(SID, caller, "+15155550199"))),
        ("/voice/turn/7", {"Digits": "42"}, ("turn", InboundTurn(SID, 7, Heard("42"), caller))),
        ("/voice/fallback", {"ErrorCode": "11200"}, ("fallback", CallFailure(SID, "11200", "", caller))),
        ("/voice/queue/left", {"DialCallStatus": "busy"}, ("left", QueueLeft(SID, "busy"))),
    ]:
        response = web.post(path, **fields)
        assert (200, "text/xml; charset=utf-8") == (response.status_code, response.content_type)
        assert asked == web.intake.asked[-1]
        assert "no-store" == response.headers["Cache-Control"]


def test_each_door_reads_the_language_off_its_own_address(web):
    """It is all there is to go by when the call cannot be looked up."""
    caller = "+15155550100"
    web.post("/voice/turn/7?held=2&language=es", Digits="42")
    web.post("/voice/queue/left?language=es", DialCallStatus="busy")
    assert [
        ("turn", InboundTurn(SID, 7, Heard("42"), caller, 2, "es")),
        ("left", QueueLeft(SID, "busy", "es")),
    ] == web.intake.asked


@pytest.mark.parametrize(("language", "said"), [("es", "algo falló"), ("xx", "went wrong"), ("", "went wrong")])
def test_an_apology_is_in_the_callers_language(web, language, said):
    """Whoever chose Spanish need not understand English to be helped; one nobody speaks is English."""
    web.intake.trouble = ZeroDivisionError("secret")
    assert said in words(web.post(f"/voice/turn/3?language={language}"))[0]
    assert said in words(web.post(f"/voice/turn/none?language={language}"))[0]


def test_the_end_of_a_call_is_noted_and_answered_with_nothing(web):
    """A status callback has no caller: 204."""
    response = web.post("/voice/ended", CallStatus="completed", CallDuration="182", SequenceNumber="3")
    assert (204, b"") == (response.status_code, response.data)
    assert [("ended", CallStatus(SID, "completed", 182, 3))] == web.intake.asked


def test_a_text_is_answered_honestly(web):
    """Whoever sends a text learns that texts are not read."""
    response = web.post("/messages/incoming", {"AccountSid": ACCOUNT, "Body": "42", "From": "+15155550100"})
    assert "calls, not texts" in ET.fromstring(response.text).find("Message").text
    assert [] == web.intake.asked


@pytest.mark.parametrize("path", SIGNED)
@pytest.mark.parametrize(
    "forged",
    [
        {"signature": ""},
        {"signature": "AAAA"},
        {"signature": "é\x80"},
        {"token": "wrong" * 8},
        {"url": "https://evil.example/voice/answer"},
        {"url": BASE + "/voice/turn/99"},
        {"body": b""},
        {"body": b"CallSid=%ff"},
        {"body": b"\xff\xfe\x00", "content_type": "application/octet-stream"},
        {"body": b'{"CallSid": 1}', "content_type": "application/json"},
        {"body": "&".join(f"f{n}=1" for n in range(500))},
    ],
    ids=str,
)
def test_nobody_else_is_heard(web, path, forged):
    """Whatever a stranger sends: 403, and nothing behind the door is asked."""
    response = web.post(path, **forged)
    assert 403 == response.status_code
    assert [] == web.intake.asked


@pytest.mark.parametrize("path", SIGNED)
def test_another_account_is_refused(web, path):
    """A right signature under another account's name is not ours."""
    assert 403 == web.post(path, AccountSid="AC" + "2" * 32).status_code
    assert [] == web.intake.asked


@pytest.mark.parametrize("path", SIGNED)
@pytest.mark.parametrize("method", ["get", "put", "delete", "patch"])
def test_only_post_is_known(web, path, method):
    """Any other method: 405, naming the one there is."""
    response = getattr(web.client, method)(path)
    assert 405 == response.status_code
    assert "POST" in response.headers["Allow"]


@pytest.mark.parametrize("path", SIGNED)
def test_a_body_without_end_is_not_read(web, path):
    """More than 64 KiB: 413."""
    assert 413 == web.post(path, body=b"a" * 70_000).status_code


def test_either_token_is_good_while_it_is_changed():
    """The secondary token passes when it is configured."""
    assert 200 == Web(secondary="s" * 16 + "v" * 16).post("/voice/answer", token="s" * 16 + "v" * 16).status_code


def test_the_query_is_part_of_what_was_signed(web):
    """Byte for byte."""
    assert 200 == web.post("/voice/answer?a=%20b&a=%C3%A9").status_code
    assert 403 == web.post("/voice/answer?a=+b", url=BASE + "/voice/answer?a=%20b").status_code


def test_headers_do_not_change_our_address(web):
    """A stranger's Host or X-Forwarded-Host does not make another address ours."""
    fields = {"CallSid": SID, "AccountSid": ACCOUNT}
    response = web.client.post(
        "/voice/answer",
        data=fields,
        headers={HEADER: sign(TOKEN, "https://evil.example/voice/answer", fields), "X-Forwarded-Host": "evil.example"},
        base_url="https://evil.example",
    )
    assert 403 == response.status_code


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/voice/answer", {"CallSid": "CA1"}),
        ("/voice/turn/1", {"CallSid": ""}),
        ("/voice/turn/0", {}),
        ("/voice/turn/01", {}),
        ("/voice/turn/one", {}),
        ("/voice/turn/" + "9" * 5000, {}),
        ("/voice/queue/left", {"CallSid": "SM" + "0" * 32}),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_in_words(web, path, fields):
    """400, nothing asked, and the body is the apology for whoever runs it."""
    response = web.post(path, **fields)
    assert 400 == response.status_code
    assert "sorry" in words(response)[0]
    assert [] == web.intake.asked


@pytest.mark.parametrize("name", ["CallSid", "Digits", "From", "FinishedOnKey"])
def test_a_field_sent_twice_is_refused(web, name):
    """Signed as the carrier signs repeats, and still two readings of one answer."""
    pairs = [
        ("CallSid", SID),
        ("AccountSid", ACCOUNT),
        ("Digits", "1"),
        ("From", "+15155550100"),
        ("FinishedOnKey", "#"),
    ]
    response = web.post("/voice/turn/1", [*pairs, (name, "2")])
    assert 400 == response.status_code
    assert [] == web.intake.asked


def test_a_missing_account_is_unreadable(web):
    """Signed, yet from no account: 400."""
    assert 400 == web.post("/voice/answer", {"CallSid": SID}).status_code


@pytest.mark.parametrize("path", ["/voice/turn/1", "/voice/queue/left"])
def test_a_call_nobody_answered(web, path):
    """404, so that the carrier asks the fallback; the words are there too."""
    web.intake.trouble = unknown_call()
    response = web.post(path, Digits="1")
    assert 404 == response.status_code
    assert "sorry" in words(response)[0]


def test_the_end_of_a_call_nobody_answered(web):
    """404 and one line."""
    web.intake.trouble = unknown_call()
    response = web.post("/voice/ended", CallStatus="completed")
    assert (404, "application/json") == (response.status_code, response.mimetype)


@pytest.mark.parametrize("path", TALKING)
@pytest.mark.parametrize("trouble", [ZeroDivisionError("secret"), NotRecorded("the disk is full"), KeyError("prompt")])
def test_a_bug_of_ours_is_answered_in_words(web, path, trouble, caplog):
    """200 with the apology and the way to a person; the call's id and the trace are in the log, not in the answer."""
    web.intake.trouble = trouble
    with caplog.at_level(logging.ERROR):
        response = web.post(path)
    said, last = words(response)
    assert (200, "Hangup") == (response.status_code, last)
    assert "something went wrong" in said
    assert "secret" not in response.text
    assert SID in caplog.text
    assert caplog.records[-1].exc_info


def test_a_status_that_could_not_be_kept_may_be_sent_again(web):
    """No caller listens, so the carrier is told the truth: 503."""
    web.intake.trouble = NotRecorded("the disk is full")
    assert 503 == web.post("/voice/ended", CallStatus="completed").status_code


@pytest.mark.parametrize(
    "path", ["/voice", "/voice/", "/voice/turn/", "/voice/turn/1/2", "//voice/answer", "/voice/Answer"]
)
def test_an_address_nobody_knows(web, path):
    """404, never a redirect: what is signed is one address."""
    assert 404 == web.post(path).status_code


def test_odd_bytes_in_the_body_never_fail_us(web):
    """Every single byte put in place of one of a signed body: refused or unreadable, never an error of ours."""
    body = urlencode({"CallSid": SID, "AccountSid": ACCOUNT, "Digits": "42"}).encode()
    signature = sign(TOKEN, BASE + "/voice/turn/1", {"CallSid": SID, "AccountSid": ACCOUNT, "Digits": "42"})
    for value in range(0, 256, 5):
        for place in (0, 7, 8, len(body) - 1):
            changed = body[:place] + bytes([value]) + body[place + 1 :]
            status = web.post("/voice/turn/1", body=changed, signature=signature).status_code
            assert (200 if changed == body else 403) == status, changed


def test_an_address_writes_no_line_of_its_own_in_the_log(web, caplog):
    """Line ends in a path are quoted."""
    web.post("/voice/turn/1%0AERROR%20forged", token="x")
    web.post("/voice/turn/1%0D%0AERROR%20forged")
    assert 2 == len(caplog.messages)
    assert not any("\n" in message or "\r" in message for message in caplog.messages)
