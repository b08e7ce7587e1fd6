"""The signer writes what the carrier writes: its published examples, and its own library on anything."""

from hypothesis import given
from hypothesis import strategies as st
from twilio.request_validator import RequestValidator
from werkzeug.datastructures import MultiDict

from hotline.practice.signer import sign


def test_the_published_example():
    """The carrier's documentation signs this form so."""
    fields = {
        "CallSid": "CA1234567890ABCDE",
        "Caller": "+14158675309",
        "Digits": "1234",
        "From": "+14158675309",
        "To": "+18005551212",
    }
    assert "RSOYDt4T1cUTdK1PDd93/VVr8B8=" == sign("12345", "https://mycompany.com/myapp.php?foo=1&bar=2", fields)


def test_the_published_example_with_a_repeated_name():
    """Values of one name are sorted and each counts once."""
    fields = [("Sid", "CA123"), ("SidAccount", "AC123"), ("Digits", "5678"), ("Digits", "1234"), ("Digits", "1234")]
    expected = RequestValidator("12345").compute_signature(
        "https://mycompany.com/myapp.php?foo=1&bar=2", MultiDict(fields)
    )
    assert expected == sign("12345", "https://mycompany.com/myapp.php?foo=1&bar=2", fields)
    assert "IK+Dwps556ElfBT0I3Rgjkr1wJU=" == expected


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5))))
def test_any_form(fields):
    """The carrier's own library agrees on every form."""
    url = "https://line.example/voice/turn/3?a=%20"
    assert RequestValidator("t" * 32).compute_signature(url, MultiDict(fields)) == sign("t" * 32, url, fields)
