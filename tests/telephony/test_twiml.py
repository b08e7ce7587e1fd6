"""One reply, one document: what is spoken, how long the line listens, where the keys go."""

import xml.etree.ElementTree as ET

import pytest

from hotline.dialog.reply import Reply, Words
from hotline.telephony.speech import Phrases
from hotline.telephony.twiml import apology, call_back, goodbye, hold, twiml

TEXTS = {
    "headcount": "{place}: how many people?",
    "long": "x" * 1500,
    "line.call-back": "We will call you back.",
    "line.apology": "Something went wrong.",
    "line.hold": "One moment.",
    "person": "Please hold.",
    "goodbye": "Bye.",
}
PROMPTS = {
    "en": Phrases("en", "en-US", "Polly.Joanna", TEXTS),
    "es": Phrases("es", "es-US", "Polly.Lupe", {"headcount": "{place}: ¿cuántas personas?"}),
}


def ask(place="Ames 2-4", listen="digits", language="en"):
    return Reply((Words("headcount", {"place": place}),), listen, language=language)


@pytest.mark.parametrize(
    ("listen", "timeout", "pause"), [("digits", "8", "7"), ("again", "8", "4"), ("key", "3", "12")]
)
def test_a_question_listens_as_the_dialog_says(listen, timeout, pause):
    """First key within 15 s, then 3 or 8 s between keys; pound ends; silence is submitted; then the same turn again."""
    gather, redirect = ET.fromstring(twiml(ask(listen=listen), 7, PROMPTS))
    assert {
        "input": "dtmf",
        "finishOnKey": "#",
        "action": "/voice/turn/7",
        "method": "POST",
        "actionOnEmptyResult": "true",
        "timeout": timeout,
    } == gather.attrib
    assert ["Say", "Pause"] == [verb.tag for verb in gather]
    assert pause == gather[1].get("length")
    assert ("Redirect", "POST", "/voice/turn/7") == (redirect.tag, redirect.get("method"), redirect.text)


def test_words_are_text_whatever_they_contain():
    """Markup in a value is spoken as it stands, and characters no document may carry are dropped."""
    say = ET.fromstring(twiml(ask(place='<Hangup/> & "Sons"\x00\x1b'), 1, PROMPTS))[0][0]
    assert '<Hangup/> & "Sons": how many people?' == say.text


def test_each_language_has_its_voice():
    """A prompt not yet translated is spoken in English words all the same."""
    say = ET.fromstring(twiml(ask(language="es"), 1, PROMPTS))[0][0]
    assert ("es-US", "Polly.Lupe", "Ames 2-4: ¿cuántas personas?") == (say.get("language"), say.get("voice"), say.text)
    assert "Something went wrong." in apology(PROMPTS, language="es")


def test_words_that_carry_their_own_language_have_its_voice():
    """An offer of Spanish inside an English question: the voice changes for it and back."""
    offer = Words("headcount", {"place": "Ames"}, language="es")
    english = Words("person")
    gather = ET.fromstring(twiml(Reply((english, english, offer, english), "digits"), 1, PROMPTS))[0]
    assert [
        ("Polly.Joanna", "Please hold. Please hold."),
        ("Polly.Lupe", "Ames: ¿cuántas personas?"),
        ("Polly.Joanna", "Please hold."),
    ] == [(say.get("voice"), say.text) for say in gather.iter("Say")]


def test_a_prompt_not_yet_translated_has_the_voice_of_its_words():
    """A Spanish voice does not pronounce English."""
    say = ET.fromstring(goodbye(PROMPTS, "es"))[0]
    assert ("en-US", "Polly.Joanna", "Bye.") == (say.get("language"), say.get("voice"), say.text)


def test_addresses_name_a_language_other_than_the_first():
    """So that every later answer can be given in it; one nobody speaks is not passed on."""
    gather, redirect = ET.fromstring(twiml(ask(language="es"), 7, PROMPTS))
    assert ("/voice/turn/7?language=es",) * 2 == (gather.get("action"), redirect.text)
    dial = ET.fromstring(apology(PROMPTS, ["+15155550111"], "es"))[-1]
    assert "/voice/queue/left?language=es" == dial.get("action")
    assert "/voice/turn/7" == ET.fromstring(twiml(ask(language="x&y"), 7, PROMPTS))[0].get("action")
    held = [ET.fromstring(hold(PROMPTS, "/voice/turn/7?held=2", each))[-1].text for each in ("en", "es")]
    assert ["/voice/turn/7?held=2", "/voice/turn/7?held=2&language=es"] == held


def test_the_document_begins_with_its_declaration():
    """White space before it breaks the call at the carrier."""
    assert twiml(ask(), 1, PROMPTS).startswith('<?xml version="1.0" encoding="UTF-8"?><Response>')


def test_long_words_are_cut_where_the_voice_needs_it():
    """No piece is longer than the voice reads in one go."""
    said = ET.fromstring(twiml(Reply((Words("long"),) * 5, None, "hang-up"), 1, PROMPTS)).findall("Say")
    assert 5 == len(said)
    assert all(len(say.text) < 3000 for say in said)


def test_an_end_is_words_and_a_hang_up():
    """Nothing follows."""
    reply = Reply((Words("line.apology"),), None, "hang-up")
    assert ["Say", "Hangup"] == [verb.tag for verb in ET.fromstring(twiml(reply, 9, PROMPTS))]


def test_a_person_is_dialled_where_there_are_staff():
    """Up to ten numbers ring at once, and the line hears how it went."""
    numbers = [f"+151555501{n:02}" for n in range(12)]
    say, dial = ET.fromstring(twiml(Reply((Words("line.apology"),), None, "person"), 9, PROMPTS, numbers))
    assert ("Say", "/voice/queue/left", "POST", "25") == (
        say.tag,
        *(dial.get(a) for a in ("action", "method", "timeout")),
    )
    assert numbers[:10] == [number.text for number in dial]


def test_a_call_back_is_promised_where_there_are_none():
    """Without staff numbers the caller hears a promise, then the end."""
    say, hangup = ET.fromstring(apology(PROMPTS))
    assert ("Something went wrong. We will call you back.", "Hangup") == (say.text, hangup.tag)


def test_an_apology_leads_to_a_person():
    """Where there are staff the caller is asked to stay on the line, and they ring."""
    say, dial = ET.fromstring(apology(PROMPTS, ["+15155550111"]))
    assert ("Something went wrong. Please hold.", "Dial") == (say.text, dial.tag)


def test_last_words():
    """A promise or a goodbye, then the end."""
    assert "We will call you back.</Say><Hangup />" in call_back(PROMPTS)
    assert "Bye.</Say><Hangup />" in goodbye(PROMPTS)
