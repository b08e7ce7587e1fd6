"""Nobody but the carrier is heard: signatures over our address, raw query and every field, under tokens in force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twilio.request_validator import RequestValidator

from hotline.telephony.signature import verifier

TOKEN = "a" * 32
FORM = {"CallSid": ("CA" + "0" * 32,), "Digits": ("42",), "FinishedOnKey": ("",)}


def signed(url, form=FORM, token=TOKEN):
    class Multi(dict):
        getlist = dict.__getitem__

    return RequestValidator(token).compute_signature(url, Multi(form))


def test_the_published_example_with_a_repeated_name():
    """`IK+Dwps…` is what both of the carrier's libraries compute for Digits sent three times."""
    form = {"Sid": ("CA123",), "SidAccount": ("AC123",), "Digits": ("5678", "1234", "1234")}
    ours = verifier("https://mycompany.com", ["12345"])
    assert ours.is_ours("/myapp.php", "foo=1&bar=2", form, "IK+Dwps556ElfBT0I3Rgjkr1wJU=")


@pytest.mark.parametrize(
    ("base", "signed_for"),
    [
        ("https://line.example", "https://line.example"),
        ("https://line.example", "https://line.example:443"),
        ("https://line.example/", "https://line.example"),
        ("https://line.example:8443", "https://line.example:8443"),
        ("https://line.example:8443", "https://line.example"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://[::1]:8080", "http://[::1]"),
    ],
)
def test_the_port_may_be_named_or_not(base, signed_for):
    """The carrier is not consistent about ports, so both spellings of our own address count."""
    assert verifier(base, [TOKEN]).is_ours("/voice/turn/1", "", FORM, signed(signed_for + "/voice/turn/1"))


@pytest.mark.parametrize(
    ("path", "query", "form"),
    [
        ("/voice/turn/2", "", FORM),
        ("/voice/turn/1/", "", FORM),
        ("/voice/turn/1", "x=1", FORM),
        ("/voice/turn/1", "", {**FORM, "Digits": ("43",)}),
        ("/voice/turn/1", "", {**FORM, "Extra": ("",)}),
        ("/voice/turn/1", "", {**FORM, "Digits": ("42", "43")}),
        ("/voice/turn/1", "", {}),
    ],
)
def test_another_request_does_not_pass(path, query, form):
    """A signature fits one address, one query and one form."""
    signature = signed("https://line.example/voice/turn/1")
    assert not verifier("https://line.example", [TOKEN]).is_ours(path, query, form, signature)


def test_either_of_two_tokens_passes_and_no_third():
    """While the token is changed both are in force."""
    ours = verifier("https://line.example", [TOKEN, "b" * 32, ""])
    url = "https://line.example/voice/answer"
    assert ours.is_ours("/voice/answer", "", FORM, signed(url, token="b" * 32))
    assert not ours.is_ours("/voice/answer", "", FORM, signed(url, token="c" * 32))
    assert not ours.is_ours("/voice/answer", "", FORM, signed(url, token=""))


@given(st.text())
def test_any_text_in_the_header_is_only_refused(signature):
    """A header of any characters is refused, never an error."""
    assert not verifier("https://line.example", [TOKEN]).is_ours("/voice/answer", "", FORM, signature)
