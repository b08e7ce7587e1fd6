"""A line on one machine: comes up with one command, outlives the death of any part, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from hotline import settings
from hotline.caucus.worksheet import Worksheet
from hotline.services import publication
from hotline.services.line import Line, open_line
from hotline.store.roster import Roster
from tests.services.reports import BY_RULE, SOUND, confirm

TOP = Path(__file__).parents[2]
PATIENCE = 60
HOTLINE = [sys.executable, "-m", "hotline"]


@dataclass(frozen=True)
class Up:
    """A running `hotline up`: its process, its folder, where it answers."""

    process: subprocess.Popen[str]
    data: Path
    url: str

    def get(self, path: str) -> int:
        try:
            with urllib.request.urlopen(f"{self.url}{path}", timeout=15) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def parts(self) -> list[int]:
        return [pid for pid, _ in family(self.process.pid)]

    def part(self, word: str) -> int | None:
        """The process of a part, None while it is down."""
        return next((pid for pid, command in family(self.process.pid) if word in command), None)

    def kill(self, word: str) -> int:
        pid = self.part(word)
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        return pid


def family(pid: int) -> Iterator[tuple[int, str]]:
    """Children by any of its threads, and theirs: process and command line."""
    for children in Path("/proc").glob(f"{pid}/task/*/children"):
        for child in children.read_text().split():
            yield int(child), Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            yield from family(int(child))


def eventually(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def start(data: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(TOP), "PYTHONUNBUFFERED": "1"}  # noqa: TID251
    return subprocess.Popen(
        [*HOTLINE, "up", "--data", str(data), "--port", "0", *arguments],
        env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@contextmanager
def a_line(data: Path) -> Iterator[Up]:
    """A new line, from nothing but a folder's name."""
    process = start(data)
    assert process.stdout is not None
    assert process.stderr is not None
    said = ""
    while "Ctrl-C stops it" not in said:
        told = process.stdout.readline()
        assert told, process.stderr.read()
        said += told
    found = re.search(r"health +(http://127\.0\.0\.1:\d+)/readyz", said)
    assert found is not None
    try:
        yield Up(process, data, found[1])
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """The line most tests here share; it has to outlive them."""
    with a_line(tmp_path_factory.mktemp("stack") / "line") as running:
        yield running


@pytest.fixture
def line(up: Up) -> Iterator[Line]:
    opened = open_line(settings.load({}, HOTLINE_DATA=up.data))
    yield opened
    opened.ledger.engine.dispose()


def report(line: Line, number: int) -> str:
    """Confirm one more report; its code."""
    code = list(line.contest.precincts)[number]
    tallies = {**SOUND[0], "Yang": number}
    confirm(line, code, Worksheet(100 + number, tallies, SOUND[1], BY_RULE["00013"]))
    return code


def is_in_results(line: Line, code: str) -> bool:
    return publication.night(line).outcomes[code].status != "outstanding"


def test_everything_answers(up: Up) -> None:
    assert [up.get(path) for path in ("/healthz", "/readyz", "/results", "/results.json")] == [200] * 4


@pytest.mark.parametrize(
    ("number", "word"), [(1, "valkey-server"), (2, "hotline relay"), (3, "hotline worker"), (4, "hotline web")]
)
def test_any_part_may_be_killed_and_no_confirmed_report_is_missing(up: Up, line: Line, number: int, word: str) -> None:
    """Each is killed outright with a report on its way, and comes back."""
    killed = up.kill(word)
    code = report(line, number)
    eventually(lambda: is_in_results(line, code), f"no result after {word} was killed")
    eventually(lambda: up.part(word) not in (None, killed), f"{word} did not return")
    assert up.get("/healthz") == 200


def test_a_call_waits_while_the_web_part_comes_back(up: Up) -> None:
    """The supervisor holds the port: nobody is refused in the second between two web processes."""
    up.kill("hotline web")
    assert up.get("/healthz") == 200


def test_a_second_line_on_the_folder_is_refused_and_the_first_goes_on(up: Up) -> None:
    second = start(up.data)
    said = second.communicate(timeout=PATIENCE)[1].splitlines()
    wanted = f"hotline: {up.data} already has a line running (process {up.process.pid}); stop that one, or choose "
    assert (second.returncode, said[-1]) == (2, f"{wanted}another folder with --data")
    assert up.get("/healthz") == 200


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "killed"])
def test_nothing_is_left_running(tmp_path: Path, end: signal.Signals) -> None:
    """Neither after Ctrl-C nor when the supervisor itself is killed and can stop nobody."""
    with a_line(tmp_path / "line") as up:
        eventually(lambda: len(up.parts()) == 7, "valkey, relay, two workers, web and its two processes: not all there")
        pids = up.parts()
        up.process.send_signal(end)
        eventually(lambda: all(map(is_gone, pids)), "parts are still running")
        up.process.wait(PATIENCE)
        assert up.process.returncode == (0 if end == signal.SIGINT else -signal.SIGKILL)


def test_a_rehearsal_never_becomes_a_line(data: Path) -> None:
    line = open_line(settings.load({}, HOTLINE_DATA=data))
    Roster(line.ledger.engine, line.clock).mark_rehearsal()
    line.ledger.engine.dispose()
    second = start(data)
    said = second.communicate(timeout=PATIENCE)[1]
    assert said.splitlines()[-1] == f"hotline: {data} holds a rehearsal; name another with --data"


def test_a_part_that_cannot_start_stops_the_start_with_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "line" / "valkey").mkdir(parents=True, mode=0o700)
    (tmp_path / "line" / "valkey" / "appendonlydir").write_text("in the way")
    broken = start(tmp_path / "line")
    said = broken.communicate(timeout=PATIENCE)[1].splitlines()[-1]
    assert said.startswith(f"hotline: valkey did not come up; the last it said, in {tmp_path}/line/logs/valkey.log: ")
