"""What the carrier sends is read whole or refused: callers, keys, turns, statuses."""

import pytest

from hotline.dialog.facts import Heard
from hotline.errors import RequestRefused, RequestUnreadable
from hotline.telephony import inbound

SID = "CA" + "0f" * 16


def form(**fields):
    return {"CallSid": (SID,), **{name: (value,) for name, value in fields.items()}}


@pytest.mark.parametrize(
    ("sent", "caller"),
    [
        ("+15155550100", "+15155550100"),
        ("+442071838750", "+442071838750"),
        ("", None),
        ("anonymous", None),
        ("Anonymous", None),
        ("unknown", None),
        ("restricted", None),
        ("+266696687", None),
        ("266696687", None),
        ("+7378742833", None),
        ("+2562533", None),
        ("+8656696", None),
        ("+86282452253", None),
        ("sip:chair@example.org", None),
        ("client:ana", None),
        ("15155550100", None),
        ("+1515555٠١٠٠", None),
        ("+1 515 555 0100", None),
        ("+15155550100\n", None),
    ],
)
def test_a_caller_is_a_number_or_withheld(sent, caller):
    """Only E.164 names a caller; every way to withhold a number is nobody in particular."""
    assert caller == inbound.caller_number(sent)
    assert caller == inbound.call(form(From=sent)).caller


def test_a_call_without_a_from_is_withheld():
    """The field may be absent altogether."""
    assert inbound.call(form()).caller is None


@pytest.mark.parametrize(
    ("sent", "verstat"),
    [
        ("TN-Validation-Passed-A", "passed-A"),
        ("TN-Validation-Passed-B-Diverted", "passed-B"),
        ("TN-Validation-Failed-C-Passthrough", "failed-C"),
        ("TN-Validation-Failed", "failed"),
        ("No-TN-Validation", "none"),
        ("NULL", "none"),
        ("", "none"),
        ("TN-Validation-Passed-A-Forged", "none"),
        ("TN-Validation-Passed", "none"),
        ("tn-validation-passed-a", "none"),
    ],
)
def test_an_attestation_is_matched_whole(sent, verstat):
    """A value that merely begins like a pass is no pass."""
    assert verstat == inbound.call(form(StirVerstat=sent)).verstat


@pytest.mark.parametrize(
    ("fields", "heard"),
    [
        ({}, Heard(None, False)),
        ({"Digits": ""}, Heard("", False)),
        ({"Digits": "", "FinishedOnKey": ""}, Heard("", True)),
        ({"Digits": "42"}, Heard("42", False)),
        ({"Digits": "42", "FinishedOnKey": "#"}, Heard("42", False)),
        ({"Digits": "42", "FinishedOnKey": ""}, Heard("42", True)),
        ({"Digits": "*1"}, Heard("*1", False)),
        ({"Digits": "twelve"}, Heard("twelve", False)),
        ({"Digits": "7" * 40}, Heard("7" * 40, False)),
        ({"Digits": "7" * 9000}, Heard("7" * 64, False)),
    ],
)
def test_keys_are_taken_as_they_came(fields, heard):
    """No Digits at all, an empty answer, and time running out are three different things."""
    assert heard == inbound.turn(form(**fields), "3").heard


@pytest.mark.parametrize("number", ["0", "-1", "01", "1.0", "٣", "one", "", "123456", "9" * 5000])
def test_a_turn_is_a_whole_number(number):
    """Any other address is refused."""
    with pytest.raises(RequestUnreadable):
        inbound.turn(form(Digits="1"), number)


@pytest.mark.parametrize(
    "sid", ["", "CA", "CA" + "0" * 31, "CA" + "0" * 33, "SM" + "0" * 32, "CA" + "g" * 32, SID + "\n"]
)
def test_a_call_has_a_name(sid):
    """A malformed CallSid is refused wherever one is read."""
    for read in (inbound.call, inbound.status, inbound.failure, inbound.queue_left):
        with pytest.raises(RequestUnreadable):
            read({"CallSid": (sid,), "CallStatus": ("completed",)})


def test_a_field_given_twice_is_refused():
    """Two readings of one answer are none."""
    for name in ("Digits", "CallSid", "From", "FinishedOnKey"):
        with pytest.raises(RequestUnreadable, match=name):
            inbound.turn({**form(Digits="1"), name: (SID, SID)}, "1")


def test_another_account_is_refused():
    """A missing account is unreadable; another one is not ours."""
    inbound.check_account(form(AccountSid="AC1"), "AC1")
    with pytest.raises(RequestRefused):
        inbound.check_account(form(AccountSid="AC2"), "AC1")
    with pytest.raises(RequestUnreadable):
        inbound.check_account(form(), "AC1")


@pytest.mark.parametrize("duration", ["abc", "-1", "1e3", "9999999"])
def test_a_duration_is_whole_seconds(duration):
    """Anything else is refused; a duration that was not sent is 0."""
    with pytest.raises(RequestUnreadable):
        inbound.status(form(CallStatus="completed", CallDuration=duration))
    assert 0 == inbound.status(form(CallStatus="busy")).seconds


@pytest.mark.parametrize(
    "body",
    [b"CallSid=%ff%fe", b"Digits=\xc3\xa9", b"&".join(b"f%d=1" % n for n in range(300))],
    ids=["bytes", "raw", "many"],
)
def test_a_form_that_cannot_be_read_is_refused(body):
    """Bytes that are not UTF-8 and fields without end are refused before anything else looks at them."""
    with pytest.raises(RequestUnreadable):
        inbound.read_form(body)


def test_a_form_keeps_every_value():
    """Empty values and repeated names are part of what was signed."""
    assert {"a": ("1", "2"), "b": ("",), "c": ("+ é",)} == inbound.read_form(b"a=1&b=&a=2&c=%2B+%C3%A9")


@pytest.mark.parametrize(("held", "keys", "expected"), [("", None, None), ("3", None, "*1"), ("3", "42", "42")])
def test_who_was_asked_to_hold_hears_the_question_again(held, keys, expected):
    """Our own address says so; no key could be pressed meanwhile, and that is no silence of the caller's."""
    sent = form() if keys is None else form(Digits=keys)
    assert expected == inbound.turn(sent, "7", held).heard.keys


@pytest.mark.parametrize("held", ["0", "-1", "100", "x", "1 ", "١"])
def test_an_address_that_is_not_ours_is_refused(held):
    """`held` is written by the line alone."""
    with pytest.raises(RequestUnreadable):
        inbound.turn(form(), "7", held)
