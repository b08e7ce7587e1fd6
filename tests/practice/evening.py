"""A line with its packets handed out, served over real HTTP, and everybody who calls it on a small simulated night."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from werkzeug.serving import make_server

from hotline.caucus.worksheet import Worksheet
from hotline.clock import Clock
from hotline.events.guard import CallScreened
from hotline.events.kinds import ReportConfirmed, kind_of, to_body
from hotline.practice import rehearsal
from hotline.practice.cast import Cast, cast, sample
from hotline.practice.night import Door, Night, Record
from hotline.services.line import Line
from hotline.store.pins import Packet
from hotline.web.app import create_app
from tests.lines import ACCOUNT, BASE, TOKEN
from tests.practice.conversing import ear_for

PRECINCTS, PRANKS, SEED = 6, 10, 11


@dataclass
class Evening:
    """One line with packets handed out, and everybody who will call it."""

    line: Line
    players: Cast
    packets: dict[str, Packet]
    fails: Callable[[str], bool] = lambda path: False
    paths: list[str] = field(default_factory=list)

    def app(self) -> Any:
        """The application, unless the network between it and the carrier `fails` at a path."""
        inner = create_app(self.line)

        def served(environ: WSGIEnvironment, start_response: StartResponse) -> Any:
            self.paths.append(environ["PATH_INFO"])
            if self.fails(environ["PATH_INFO"]):
                start_response("503 Service Unavailable", [("Content-Length", "0")])
                return [b""]
            return inner(environ, start_response)

        return served

    def hold(self, **options: Any) -> Record:
        """The night from the first ring to the last."""
        server = make_server("127.0.0.1", 0, self.app(), threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            door = Door(f"http://127.0.0.1:{server.port}", BASE, TOKEN, ACCOUNT)
            return Night(door, SEED, Clock(), **options).run(self.players.order)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def confirmed(self) -> dict[str, ReportConfirmed]:
        """The reports in the ledger, by precinct."""
        return {r.precinct: r.event for r in self.line.ledger.events() if isinstance(r.event, ReportConfirmed)}

    def content(self) -> list[tuple[str, str, dict[str, Any]]]:
        """The ledger call by call, times aside, and what follows from them: which calls met at the ring."""
        recorded = [each for each in self.line.ledger.events() if not isinstance(each.event, CallScreened)]
        events = [(r.call, kind_of(r.event), to_body(r.event)) for r in recorded]
        return sorted(events, key=lambda each: each[0])  # stable: within a call the order is the ledger's


def evening_on(line: Line, sheets: dict[str, Worksheet]) -> Evening:
    """The night of `SEED` on this line, before its first call."""
    chosen = sample(sheets, SEED, PRECINCTS)
    packets = rehearsal.hand_out(line, list(chosen), SEED, lambda _: None)
    pins = {code: packet.pin for code, packet in packets.items()}
    players = cast(line.contest, chosen, pins, ear_for(line.prompts, line.contest), SEED, PRANKS)
    line.roster.register_numbers(players.numbers)
    return Evening(line, players, packets)
