"""Hundreds of variations of a good request: what the carrier did not sign never reaches intake, and nothing fails."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotline.practice.signer import sign
from tests.web.web_fakes import ACCOUNT, BASE, SID, TOKEN, Web

WEB = Web()
GOOD = [
    ("CallSid", SID),
    ("AccountSid", ACCOUNT),
    ("From", "+15155550100"),
    ("To", "+15155550199"),
    ("Digits", "42"),
    ("FinishedOnKey", "#"),
]
PATHS = ["/voice/answer", "/voice/turn/1", "/voice/turn/2", "/voice/fallback", "/voice/queue/left", "/voice/ended"]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = st.sampled_from([name for name, _ in GOOD]) | TEXT


@st.composite
def forms(draw):
    """A good form with fields dropped, repeated, changed, added or swapped."""
    form = list(GOOD)
    for change in draw(st.lists(st.sampled_from(["drop", "repeat", "change", "add", "swap"]), max_size=3)):
        place = draw(st.integers(0, len(form) - 1)) if form else 0
        match change:
            case "drop" if form:
                del form[place]
            case "repeat" if form:
                form.append(form[place])
            case "change" if form:
                form[place] = (form[place][0], draw(TEXT))
            case "add":
                form.append((draw(NAMES), draw(TEXT)))
            case "swap" if form:
                form[0], form[place] = form[place], form[0]
    return form


def signed_form(form):
    """What a signature covers: names and values by name, repeats once, all run together as the carrier does."""
    return "".join(name + value for name, value in sorted(set(form)))


@settings(max_examples=250, deadline=None)
@given(path=st.sampled_from(PATHS), sent=forms(), signed=forms(), signed_path=st.sampled_from(PATHS))
def test_only_what_was_signed_is_heard(path, sent, signed, signed_path):
    """A request reaches intake only when its address and every field are the signed ones; no answer is a failure."""
    WEB.intake.asked.clear()
    response = WEB.post(path, sent, signature=sign(TOKEN, BASE + signed_path, signed))
    assert response.status_code < 500
    is_signed = path == signed_path and signed_form(sent) == signed_form(signed)
    assert is_signed or 403 == response.status_code
    if WEB.intake.asked:
        assert is_signed
        assert response.status_code in (200, 204)
    assert (200 <= response.status_code < 300) == bool(WEB.intake.asked)


@settings(max_examples=150, deadline=None)
@given(path=st.sampled_from(PATHS), sent=forms())
def test_what_was_signed_is_heard_or_refused_with_its_reason(path, sent):
    """Signed as sent: taken when whole, 400 when unreadable, 403 for another account; never a failure."""
    WEB.intake.asked.clear()
    response = WEB.post(path, sent)
    assert response.status_code in (200, 204, 400, 403)
    assert (response.status_code < 300) == bool(WEB.intake.asked)
    if sorted(sent) == sorted(GOOD) and path != "/voice/ended":
        assert 200 == response.status_code


@settings(max_examples=100, deadline=None)
@given(token=TEXT.filter(lambda token: token != TOKEN), path=st.sampled_from(PATHS))
def test_no_other_token_opens(token, path):
    """Right address, right form, wrong secret: 403."""
    assert 403 == WEB.post(path, GOOD, token=token).status_code


@pytest.mark.parametrize("cut", range(1, 28))
def test_a_truncated_signature_does_not_open(cut):
    """Neither a piece of the right one, nor more than it."""
    whole = sign(TOKEN, BASE + "/voice/turn/1", GOOD)
    assert 403 == WEB.post("/voice/turn/1", GOOD, signature=whole[:cut]).status_code
    assert 403 == WEB.post("/voice/turn/1", GOOD, signature=whole + "A" * cut).status_code
