"""One language after another by `9#`: what is offered in whose voice, and that a call stays in the one it was given."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotline.dialog import machine
from hotline.dialog.called_back import CalledBack
from hotline.dialog.facts import Heard
from hotline.dialog.script import Script
from hotline.dialog.values import replace
from hotline.events.kinds import ChallengeFailed, ChallengePassed, PersonCalledFor
from hotline.telephony.speech import voiced
from tests.dialog.calling import CONTEST, FOUR, ONE, PIN, PROMPTS, SITE, TWO, UNKNOWN, Call, Line
from tests.dialog.test_any_keys import CODES, COUNTS, STARS, STRAY, holds
from tests.dialog.test_doubtful_callers import REPORT, WRONG

BOTH = Script(CONTEST, tuple(PROMPTS))
THREE = Script(CONTEST, ("en", "es", "fr"))
KEYS = st.sampled_from((*STARS, *STRAY, *CODES, *COUNTS, "1", "1", "2", "3", "9", "9"))
OFFERS = {"Para español, oprima nueve y numeral.", "For English, press nine and pound."}
SHORT_OFFERS = {"Español: nueve y numeral.", "English: nine and pound."}


def in_one_voice(call: Call) -> bool:
    """Whether the caller's own voice says everything; only another language offers itself in another."""
    reply = call.turn.reply
    pieces = voiced(reply, PROMPTS)
    strange = {text for voice, text in pieces if voice.language != reply.language}
    return reply.language == call.session.language and strange <= OFFERS | SHORT_OFFERS and len(strange) < len(pieces)


def test_each_language_is_offered_in_its_own_words_and_voice() -> None:
    """An English voice does not pronounce Spanish, and whoever needs the offer understands no other."""
    call = Line(BOTH).ring()
    voice, offer = voiced(call.turn.reply, PROMPTS)[-1]
    assert ("es-US", "Para español, oprima nueve y numeral.") == (voice.locale, offer)
    voice, offer = voiced(call.key("9").turn.reply, PROMPTS)[-1]
    assert ("en-US", "For English, press nine and pound.") == (voice.locale, offer)


def test_nine_goes_round_every_language_there_is() -> None:
    """Each question offers the next one, the last the first."""
    call = Line(THREE).ring()
    heard = []
    for _ in range(4):
        heard.append((call.turn.reply.language, call.turn.reply.words[-1].language))
        call.turn = machine.step(call.session, Heard("9"), call.line.facts(call.session, None), THREE)
    assert [("en", "es"), ("es", "fr"), ("fr", "en"), ("en", "es")] == heard


def test_a_language_that_was_taken_away_leads_to_the_first() -> None:
    """A call goes on after a restart without its language's file: heard in English, and English is what 9 says."""
    session = replace(Line(BOTH).ring().session, language="fr")
    assert machine.step(session, Heard("9"), Line(BOTH).facts(session, None), BOTH).session.language == "en"


def test_a_whole_report_in_spanish_is_spoken_in_spanish() -> None:
    """From the switch to the goodbye; between precincts the language is offered no more."""
    call = Line(BOTH).ring().key("9")
    for keys in (FOUR, WRONG, FOUR, PIN, *REPORT, "1"):
        assert in_one_voice(call.key(keys))
        assert call.session.language == "es"
    assert "Otro precinto. Marque su código de precinto" in call.said
    assert not any(offer in call.said for offer in OFFERS)
    assert call.key("9").session.language == "en"


@pytest.mark.parametrize(
    ("keys", "last"),
    [
        (("-", "-"), "No pude oír sus teclas."),
        ((FOUR, WRONG, FOUR, WRONG, FOUR, WRONG), "Ese código y ese PIN no coinciden. Por favor, revise su paquete"),
        ((FOUR, PIN, "1", "100", "*0"), "Lo que ya dio queda guardado. Un momento, por favor"),
        ((FOUR, PIN, *REPORT, "-"), "Gracias. Hasta luego."),
    ],
)
def test_every_end_of_a_spanish_call_is_spanish(keys: tuple[str, ...], last: str) -> None:
    """A farewell, a person, the goodbye; and what is said to late keys."""
    call = Line(BOTH).ring().key("9", *keys)
    assert call.session.ended
    assert last in call.said
    assert in_one_voice(call)
    assert machine.current(call.session, BOTH).language == "es"
    assert machine.not_recorded(call.session, BOTH).language == "es"


def test_a_challenge_is_offered_and_passed_in_spanish() -> None:
    """The same digits are spoken in the other language: asking for it is no try, and no new digits are drawn."""
    call = Line(BOTH).ring(challenge="471")
    assert "Key 4 7 1, then pound. Español: nueve y numeral." in call.said
    assert machine.inquire(call.session, Heard("9")) is None
    assert call.key("9").said == "Marque 4 7 1, y numeral. English: nine and pound."
    assert (call.session.tries, call.events) == (0, ())
    assert call.key("471").said.startswith("Gracias. Marque su código de precinto, de cinco dígitos")
    assert call.events == (ChallengePassed(),)


def test_a_challenge_missed_in_spanish_goes_on_and_ends_in_spanish() -> None:
    """Still two tries, with digits of their own."""
    call = Line(BOTH).ring(challenge="471").key("9", "999")
    assert call.said == "Dígitos nuevos: 1 1 1."
    assert call.key("9", "9").said == "Marque 1 1 1, y numeral. English: nine and pound."
    assert call.key("-").said.startswith("No coincidió.")
    assert call.events == (ChallengeFailed(),)


@pytest.mark.parametrize("languages", [("en",), ("en", "es")])
def test_nine_is_no_way_round_the_challenge(languages: tuple[str, ...]) -> None:
    """It costs no try and leads nowhere: in the end the call is over like any other without progress."""
    call = Line(Script(CONTEST, languages)).ring(challenge="471")
    while not call.session.ended:
        assert call.state == "challenge"
        call.key("9")
    assert call.session.turn <= machine.PATIENCE + 2
    assert ChallengePassed() not in call.events


def test_a_nine_that_time_ended_is_a_missed_try() -> None:
    """Only the pound makes it a wish: a challenge may begin with a nine."""
    call = Line(BOTH).ring(challenge="971").key("9,")
    assert (call.session.language, call.session.tries) == ("en", 1)


def test_a_person_asked_for_in_spanish_comes_in_spanish() -> None:
    """Through the challenge a stranger passes first."""
    call = Line(BOTH).ring().key("9", "*0")
    assert "Un paso más antes de comunicarle con una persona. Marque 1 1 1, y numeral." in call.said
    assert "le comunico con una persona" in call.key("111").said
    assert call.events == (ChallengePassed(), PersonCalledFor("", "star"))


@pytest.mark.parametrize(("language", "key"), [("es", "Si usted preside"), ("", "If you are"), ("fr", "If you are")])
def test_who_is_called_back_hears_the_language_its_chair_spoke(language: str, key: str) -> None:
    """English where no chair has called yet, or the language is gone."""
    assert key in Line(BOTH).call_back(CalledBack(FOUR, language=language)).said


@settings(max_examples=150, deadline=None)
@given(st.lists(KEYS, max_size=60), st.sampled_from([(), (FOUR,), (FOUR, TWO)]), st.sampled_from([None, "471"]))
def test_a_call_of_random_keys_never_breaks_in_spanish(
    keys: list[str], on_file: tuple[str, ...], challenge: str | None
) -> None:
    """Every sentence exists, takes its values, and is said by the voice of the caller's language."""
    call = Line(BOTH).ring(on_file, challenge).key("9")
    for entry in keys:
        if call.session.ended:
            return
        before = call.session
        call.key(entry)
        holds(call)
        assert in_one_voice(call)
        assert (call.session.language == before.language) or (entry == "9" and before.state in ("code", "challenge"))


@settings(max_examples=150, deadline=None)
@given(st.lists(KEYS, max_size=90), st.sampled_from([FOUR, TWO, ONE, SITE]))
def test_a_report_of_random_keys_never_breaks_in_spanish(keys: list[str], precinct: str) -> None:
    """From inside a report, where most prompts are."""
    call = Line(BOTH).ring().key("9", precinct, PIN, "1")
    for entry in keys:
        if call.session.ended:
            return
        call.key(entry)
        holds(call)
        assert in_one_voice(call)


def test_a_slow_call_in_spanish_has_its_one_sign_in() -> None:
    """Changing the language does not use it up."""
    call = Line(BOTH).ring(is_slow=True).key("9", UNKNOWN, WRONG)
    assert "Ese código y ese PIN no coinciden. Llamaremos al número registrado del precinto." in call.said
