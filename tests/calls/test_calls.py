"""Every call kept here as data, played through the real application and a real ledger."""

from __future__ import annotations

import re

import pytest

from hotline.events.kinds import kind_of, to_body
from hotline.practice.call_back import called_back
from hotline.practice.interpreter import Dialled, conversation
from hotline.practice.phone import in_process
from hotline.web.app import create_app
from tests.calls.call_file import Packet, call_files, check_kept, play, read_call
from tests.lines import ACCOUNT, BASE, TOKEN

LINE_NUMBER = "+15155550199"


def issued(line, path):
    """Packets for the precincts the file names, as on their paper."""
    named = set(re.findall(r"(?<![0-9])[0-9]{5}(?![0-9])", path.read_text(encoding="utf-8")))
    packets = line.pins.issue(sorted(named & set(line.contest.precincts)))
    return {packet.precinct: Packet(packet.pin, packet.correction_code) for packet in packets}


@pytest.mark.parametrize("path", list(call_files()), ids=lambda path: path.name.removesuffix(".call.toml"))
def test_a_call_goes_as_written(path, line_of):
    """What is heard at every question, and what the ledger holds at the end."""
    call = read_call(path)
    line = line_of(call.contest)
    for number, precincts in call.on_file.items():
        for precinct in precincts:
            line.roster.register_number(number, precinct, "chair")
    packets = issued(line, path)
    post = in_process(create_app(line).test_client(), TOKEN)

    def ring(phone, number):
        sid = f"CA{line.clock.token(16)}"
        dialled = Dialled(sid, ACCOUNT, number, LINE_NUMBER)
        if phone in call.called_back:
            (due,) = [each for each in line.call_backs.due(limit=9) if each.precinct == call.called_back[phone]]
            assert line.call_backs.claim(due.id, number)
            dialled = called_back(sid, ACCOUNT, number, LINE_NUMBER, due.id)
        return conversation(dialled, post, base=BASE)

    play(call, ring, packets.__getitem__)
    check_kept(call, [(kind_of(each.event), to_body(each.event)) for each in line.ledger.events()])
