"""A call runs as at the carrier: which address is asked with which fields, what is heard, how it ends."""

import pytest

from hotline.practice.document import Answer
from hotline.practice.gather import Press
from hotline.practice.interpreter import CARRIER_APOLOGY, Dialled, place_call

BASE = "https://line.example"
DIALLED = Dialled("CA" + "0" * 32, "AC1", "+15155550100", "+15155550199")


def asked(n, words="Key something."):
    return (
        f'<Response><Gather action="/voice/turn/{n}" finishOnKey="#" timeout="3" actionOnEmptyResult="true">'
        f'<Say>{words}</Say><Pause length="12"/></Gather><Redirect>/voice/turn/{n}</Redirect></Response>'
    )


class Line:
    """A line that answers each path with a fixed document and remembers what it was asked."""

    def __init__(self, **documents):
        self.documents = {f"/voice/{name.replace('_', '/')}": document for name, document in documents.items()}
        self.requests = []

    def __call__(self, url, fields):
        path = url.removeprefix(BASE)
        self.requests.append((path, dict(fields)))
        answer = self.documents.get(path, "<Response/>")
        return answer if isinstance(answer, Answer) else Answer(200, "text/xml; charset=utf-8", answer)

    @property
    def paths(self):
        return [path for path, _ in self.requests]


def keys(*entries):
    """A caller who presses each entry in turn and then hangs up."""
    remaining = list(entries)
    return lambda heard: remaining.pop(0) if remaining else None


def test_keys_go_to_the_action_and_the_end_is_reported():
    """Answer, one turn, hang-up by the line, status callback with the duration."""
    line = Line(answer=asked(1), turn_1="<Response><Say>Thank you.</Say><Hangup/></Response>")
    log = place_call(DIALLED, line, keys("42#"), base=BASE)
    assert ["/voice/answer", "/voice/turn/1", "/voice/ended"] == line.paths
    assert ("ringing", "in-progress", "completed") == tuple(fields["CallStatus"] for _, fields in line.requests)
    assert ("42", "#") == (line.requests[1][1]["Digits"], line.requests[1][1]["FinishedOnKey"])
    assert str(round(log.seconds)) == line.requests[2][1]["CallDuration"]
    assert [("heard", "Key something."), ("keyed", "42#"), ("heard", "Thank you."), ("ended", "line hung up")] == [
        (entry.kind, entry.text) for entry in log.transcript
    ]


def test_a_caller_who_hangs_up_submits_nothing():
    """Only the status callback tells the line that the caller is gone."""
    line = Line(answer=asked(1))
    log = place_call(DIALLED, line, keys(), base=BASE)
    assert ["/voice/answer", "/voice/ended"] == line.paths
    assert "caller hung up" == log.ended


def test_silence_is_submitted_with_empty_digits():
    """`actionOnEmptyResult` asks the action with empty Digits and an empty FinishedOnKey."""
    line = Line(answer=asked(1))
    place_call(DIALLED, line, keys(""), base=BASE)
    assert ("", "") == (line.requests[1][1]["Digits"], line.requests[1][1]["FinishedOnKey"])


def test_silence_falls_through_where_empty_results_are_not_asked_for():
    """The verb after the Gather runs."""
    document = "<Response><Gather><Say>Hm?</Say></Gather><Redirect>/voice/other</Redirect></Response>"
    line = Line(answer=document)
    place_call(DIALLED, line, keys("#"), base=BASE)
    assert ["/voice/answer", "/voice/other", "/voice/ended"] == line.paths
    assert "Digits" not in line.requests[1][1]


@pytest.mark.parametrize(("keeps", "second"), [(True, "1"), (False, "5")])
def test_early_keys_are_kept_or_lost_as_the_carrier_does(keeps, second):
    """`1#1#` at one question: the second answer reaches the next question or is lost."""
    line = Line(answer=asked(1), turn_1=asked(2))
    place_call(DIALLED, line, keys("1#1#", "5#"), base=BASE, keeps_early_keys=keeps)
    assert second == line.requests[2][1]["Digits"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(500, "text/xml", "<Response/>"), "11200"),
        (Answer(404, "text/xml", "<Response><Say>Hello</Say></Response>"), "11200"),
        (Answer(200, "application/json", "{}"), "12300"),
        (Answer(200, "text/xml", " <?xml version='1.0'?><Response/>"), "12100"),
        (Answer(200, "text/xml", "<Response><Say>a & b</Say></Response>"), "12100"),
        (Answer(200, "text/xml", "<Response>" + " " * 65536 + "</Response>"), "11750"),
        (Answer(200, "text/xml", "<!DOCTYPE x><Response/>"), "12100"),
        (Answer(200, "text/xml", "<html/>"), "12100"),
    ],
)
def test_an_answer_that_cannot_be_run_goes_to_the_fallback(answer, code):
    """The fallback is told the carrier's code and the address that failed; its words are heard."""
    line = Line(answer=answer, fallback="<Response><Say>Sorry.</Say></Response>")
    log = place_call(DIALLED, line, keys(), base=BASE)
    assert ["/voice/answer", "/voice/fallback", "/voice/ended"] == line.paths
    assert (code, BASE + "/voice/answer") == (line.requests[1][1]["ErrorCode"], line.requests[1][1]["ErrorUrl"])
    assert ("Sorry.", (code,)) == (log.transcript[0].text, log.errors)


def test_a_line_that_gives_nothing_leaves_the_carriers_words():
    """Neither address answers: the carrier's own message, then the end."""

    def nobody(url, fields):
        raise ConnectionRefusedError

    log = place_call(DIALLED, nobody, keys(), base=BASE)
    assert CARRIER_APOLOGY == log.transcript[0].text
    assert "carrier ended" in log.ended


def test_plain_text_is_read_aloud():
    """A traceback in plain text would be spoken: that is why the line never answers so."""
    line = Line(answer=Answer(200, "text/plain", "Traceback"))
    assert "Traceback" == place_call(DIALLED, line, keys(), base=BASE).transcript[0].text


def test_a_rejected_call_is_not_answered():
    """Reject as the first verb: busy, nothing heard."""
    line = Line(answer="<Response><Reject/></Response>")
    assert "line refused the call" == place_call(DIALLED, line, keys(), base=BASE).ended
    assert "busy" == line.requests[-1][1]["CallStatus"]


def test_nobody_answers_a_dial():
    """The action hears no-answer and goes on from there."""
    line = Line(answer='<Response><Dial action="/voice/queue/left"><Number>+15155550111</Number></Dial></Response>')
    place_call(DIALLED, line, keys(), base=BASE)
    assert ("/voice/queue/left", "no-answer") == (line.requests[1][0], line.requests[1][1]["DialCallStatus"])


def test_a_call_that_never_ends_is_cut():
    """A document that redirects to itself ends at the limit, not in a hang."""
    line = Line(answer="<Response><Redirect>/voice/answer</Redirect></Response>")
    assert "does not end" in place_call(DIALLED, line, keys(), base=BASE).ended


def test_a_telephone_has_twelve_keys():
    """Letters cannot be pressed."""
    with pytest.raises(ValueError, match="no such keys"):
        place_call(DIALLED, Line(answer=asked(1)), keys(Press("hello")), base=BASE)
