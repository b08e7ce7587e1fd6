"""The Valkey that a single machine runs for itself keeps its jobs when it is killed."""

from __future__ import annotations

import signal
import stat
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from subprocess import Popen

import pytest

from hotline.errors import SetupError
from hotline.store import embedded, queues

Runs = Callable[[embedded.Embedded], AbstractContextManager[Popen[bytes]]]


def test_what_was_queued_two_seconds_ago_survives_kill_9(tmp_path: Path, running: Runs) -> None:
    server = embedded.in_folder(tmp_path, tmp_path)
    with running(server) as process:
        queues.place(queues.client(server.url), "tabulate", "tab-00018-1-7", "workers.jobs.tabulate", ["00018"])
        time.sleep(2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not server.answers()
    with running(server):
        assert queues.depths(queues.client(server.url)) == {"confirm": 0, "tabulate": 1, "notify": 0, "analytics": 0}


def test_only_its_own_user_may_connect_and_nothing_listens_on_a_port(tmp_path: Path, running: Runs) -> None:
    server = embedded.in_folder(tmp_path, tmp_path)
    with running(server):
        assert stat.S_IMODE(server.socket.stat().st_mode) == 0o700
        assert queues.client(server.url).config_get("port") == {"port": "0"}


def test_a_data_folder_too_deep_for_a_socket_uses_the_short_folder(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120)
    server = embedded.in_folder(deep, Path("/tmp/short"))
    assert server.socket == Path("/tmp/short/valkey.sock")
    assert server.folder == deep / "valkey"


def test_a_folder_with_spaces_and_percent_signs_reaches_the_same_server(tmp_path: Path, running: Runs) -> None:
    server = embedded.in_folder(tmp_path / "caucus night 50%", tmp_path)
    with running(server):
        assert queues.client(server.url).ping()


def test_a_machine_the_wheel_has_no_program_for_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(SetupError, match="no embedded Valkey for linux-riscv64: install Redis or Valkey and set"):
        embedded.program()
