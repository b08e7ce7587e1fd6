"""A caller who chose Spanish hears it where the conversation itself cannot speak too: on hold, after an error."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from contextlib import contextmanager

import pytest

from hotline.dialog.facts import Heard
from hotline.errors import NotRecorded
from hotline.services import call_backs, intake, outgoing
from hotline.telephony.inbound import CallFailure, InboundCall, InboundTurn, QueueLeft
from tests.services.callers import Caller, sid, spoken
from tests.services.numbered import CHAIR, CODE, OURS, Ringing, numbered_line

line = numbered_line


@pytest.fixture
def packet(line):
    return line.pins.issue([CODE])[0]


@pytest.fixture
def chair(line, packet):
    """Signed in, in Spanish."""
    caller = Caller(line, sid(1))
    caller.ring()
    caller.keys("9", CODE, packet.pin)
    return caller


def away(monkeypatch, line):
    """The database commits no turn any more."""
    real = line.ledger.turn

    @contextmanager
    def turn(call, n):
        with real(call, n) as opened:
            yield opened
            raise NotRecorded("disk full")

    monkeypatch.setattr(line.ledger, "turn", turn)
    monkeypatch.setattr(intake, "WAITS", ())


def test_the_address_asked_next_names_the_language(chair):
    """Where keys go and where silence goes; a first ring, in the first language, names none."""
    gather, redirect = ET.fromstring(chair.key("1"))
    assert gather.get("action") == redirect.text == f"/voice/turn/{chair.turn}?language=es"
    assert "?language" not in Caller(chair.line, sid(2)).ring()


def test_who_is_asked_to_hold_is_asked_in_their_language(monkeypatch, line, chair):
    """The session cannot be read while the database is away; the address says which language, and goes on saying it."""
    away(monkeypatch, line)
    turn = InboundTurn(chair.sid, chair.turn, Heard("1"), chair.number, 0, "es")
    held = intake.take_turn(line, turn)
    assert "Por favor, no cuelgue." in spoken(held)
    assert f"/voice/turn/{chair.turn}?held=1&language=es" == ET.fromstring(held).find("Redirect").text
    given_up = intake.take_turn(line, InboundTurn(chair.sid, chair.turn, Heard("1"), chair.number, intake.HOLDS, "es"))
    assert "Su última respuesta todavía no está registrada." in spoken(given_up)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://line.example/voice/turn/4?language=es", "Disculpe, algo falló aquí."),
        ("https://line.example/voice/turn/4?held=1&language=es", "Disculpe, algo falló aquí."),
        ("https://line.example/voice/turn/4?language=xx", "something went wrong"),
        ("https://line.example/voice/turn/4", "something went wrong"),
        ("http://[", "something went wrong"),
        ("", "something went wrong"),
    ],
)
def test_the_fallback_speaks_the_language_of_the_address_that_failed(line, address, said):
    """Whatever else the carrier sends for an address, there are words."""
    assert said in spoken(intake.fallback(line, CallFailure(sid(1), "11200", address)))


def test_after_a_person_the_last_words_are_spanish(line, chair):
    """After a talk, and when nobody could be reached."""
    chair.key("*0")
    assert spoken(intake.leave_queue(line, QueueLeft(chair.sid, "completed", "es"))) == "Gracias. Hasta luego."
    assert "Le llamaremos al número registrado" in spoken(intake.leave_queue(line, QueueLeft(chair.sid, "busy", "es")))


@pytest.mark.parametrize(("spoke_spanish", "said"), [(True, "Si usted preside ese precinto"), (False, "If you are")])
def test_a_call_back_speaks_the_language_the_chair_signed_in_with(line, packet, spoke_spanish, said):
    """Nobody else's: a stranger's wrong PIN in Spanish changes nothing."""
    caller, stranger = Caller(line, sid(1), CHAIR), Caller(line, sid(2), "+15155550177")
    for each in (caller, stranger):
        each.ring()
    caller.keys(*(["9"] if spoke_spanish else []), CODE, packet.pin)
    stranger.keys("9", CODE, "83920174", CODE, None, None)
    (due,) = line.call_backs.due()
    outgoing.call_back(line, Ringing(), due.id)
    assert said in spoken(call_backs.answer(line, due.id, InboundCall(sid(3), OURS, CHAIR)))
