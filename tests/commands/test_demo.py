"""`hotline demo`, run as a person runs it: one document, every figure as the ledger has it, nothing left behind."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hotline import settings
from hotline.events.kinds import CallAnswered, ReportConfirmed
from hotline.practice.rehearsal import hand_out, read_sheets
from hotline.services.line import Line, open_line
from tests.house.sources import ROOT
from tests.lines import line_on, prepared_database

PRECINCTS, PRANKS, SEED = 4, 6, 21
NIGHT = ("demo", "--precincts", str(PRECINCTS), "--pranks", str(PRANKS), "--seed", str(SEED))
KEYS = {
    "results",
    "results_without_held",
    "findings",
    "calls",
    "turns",
    "wall_s",
    "turns_per_s",
    "latency_ms",
    "call_seconds_spoken",
    "lost",
}


def _started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        command = [sys.executable, "-m", "hotline", *arguments]
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _of(folder: Path) -> list[int]:
    """Processes that still work on a data folder."""
    found = []
    for process in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        try:
            if process.name.isdecimal() and str(folder).encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue  # it ended while we looked, or is not ours
    return found


class Held:
    """A demo that is over: what it said, and the folder it kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "night"
        self.elsewhere = folder / "a-real-line.db"
        process = _started(
            *NIGHT,
            "--json",
            "--no-serve",
            "--data",
            str(self.folder),
            DATABASE_URL=f"sqlite:///{self.elsewhere}",
            REDIS_URL="redis://127.0.0.1:1/0",
            TWILIO_AUTH_TOKEN="a real line's token, 32 bytes of it",
        )
        self.said, self.told = process.communicate(timeout=200)
        self.status = process.returncode
        self.left = _of(self.folder)

    def document(self) -> dict[str, Any]:
        """The one document on stdout."""
        assert self.said, self.told
        found: dict[str, Any] = json.loads(self.said)
        return found

    @contextmanager
    def line(self) -> Iterator[Line]:
        """The line in the folder that was kept."""
        line = open_line(settings.load({}, HOTLINE_DATA=self.folder))
        yield line
        line.ledger.engine.dispose()


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Held:
    return Held(tmp_path_factory.mktemp("demo"))


def test_one_document_with_every_key(held: Held) -> None:
    """stdout is JSON and nothing else; the exit status says that all went well."""
    document = held.document()
    assert held.status == 0, held.told
    assert document.keys() >= KEYS
    assert (document["results"]["held_included"], document["results_without_held"]["held_included"]) == (True, False)
    assert {"p50", "p95", "p99", "max"} == document["latency_ms"].keys()


def test_figures_are_the_ledgers(held: Held) -> None:
    """Chairs, calls and reports are counted in the ledger again; nothing is lost."""
    document = held.document()
    with held.line() as line:
        events = [recorded.event for recorded in line.ledger.events()]
    reports = sum(isinstance(event, ReportConfirmed) for event in events)
    calls = document["calls"]
    assert (PRECINCTS, PRECINCTS, PRANKS) == (calls["chairs"], calls["completed"], calls["pranks"])
    assert reports == document["results"]["precincts"]["reported"] == PRECINCTS
    assert calls["placed"] == sum(isinstance(event, CallAnswered) for event in events)
    assert document["lost"] == 0
    assert document["turns"] > PRECINCTS * 20


def test_nothing_is_left_running(held: Held) -> None:
    """Every part of the stack is gone when the command is."""
    assert held.left == []


def test_a_real_line_is_left_alone(held: Held) -> None:
    """The environment of a real line is set aside: its database is not touched, its token not used."""
    assert not held.elsewhere.exists()
    assert "TWILIO_AUTH_TOKEN=a real" not in (held.folder / "secrets.env").read_text("utf-8")


def test_folder_is_marked_as_a_rehearsal(held: Held) -> None:
    """So that no real line is ever run on secrets anybody can draw again."""
    with held.line() as line:
        assert line.roster.is_rehearsal()
    process = _started("up", "--port", "0", "--data", str(held.folder))
    _, told = process.communicate(timeout=60)
    assert (2, True) == (process.returncode, "holds a rehearsal" in told), told


def test_no_pin_is_in_the_folder_or_on_the_screen(held: Held, tmp_path: Path) -> None:
    """Database, queue, logs of every part, both streams: the packets are drawn again from the seed and looked for."""
    with held.line() as kept:
        reported = sorted(code for code, standing in kept.ledger.standings().items() if standing.current)
    line = line_on(prepared_database(tmp_path), tmp_path)
    phoned_in = read_sheets(line.contest, settings.config_folder() / "contests" / "iowa-2020")
    spare = next(code for code in line.contest.precincts if code not in phoned_in)
    pins = [packet.pin for packet in hand_out(line, [*reported, spare], SEED, lambda _: None).values()]
    line.ledger.engine.dispose()
    written = b"\n".join(path.read_bytes() for path in held.folder.rglob("*") if path.is_file())
    assert [pin for pin in pins if pin.encode() in written + (held.said + held.told).encode()] == []


def test_a_folder_is_never_written_over(held: Held) -> None:
    """A second night in the same folder is refused in one line, exit 2."""
    process = _started(*NIGHT, "--no-serve", "--data", str(held.folder))
    _, told = process.communicate(timeout=60)
    assert 2 == process.returncode
    assert f"hotline: {held.folder} holds a line already; name an empty folder, or remove it first\n" == told


def test_an_odd_number_of_precincts_is_refused() -> None:
    """A sentence, and nothing is started."""
    process = _started("demo", "--precincts", "some")
    _, told = process.communicate(timeout=60)
    assert 2 == process.returncode
    assert "give a number of precincts from 1, or all" in told


def test_ctrl_c_stops_it_and_removes_the_folder(tmp_path: Path) -> None:
    """Served until Ctrl-C, then gone without trace: no process, no folder, exit 0."""
    process = _started("demo", "--precincts", "1", "--pranks", "0", TMPDIR=str(tmp_path))
    assert process.stdout is not None
    said = ""
    while "Ctrl-C stops it." not in said:
        line = process.stdout.readline()
        assert line, "it ended by itself"
        said += line
    folder = next(path for path in tmp_path.iterdir() if path.name.startswith("hotline-demo-"))
    assert "correction code" in said
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    deadline = time.monotonic() + 5
    while _of(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (0, [], False) == (process.returncode, _of(folder), folder.exists()), told
