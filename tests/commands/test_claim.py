"""Two stacks never share a data folder or a port, and the second is told which and why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hotline.commands import claim
from hotline.errors import SetupError

HOLD = """
import pathlib, sys
from hotline.commands import claim
with claim.folder(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_stack_on_the_folder_is_told_which_process_has_it(tmp_path: Path) -> None:
    with (
        subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other,
    ):
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(SetupError, match=rf"already has a line running \(process {other.pid}\)"):
            claim.folder(tmp_path).__enter__()
        other.kill()
        other.wait()
        with claim.folder(tmp_path):
            assert (tmp_path / "lock").read_text() == str(os.getpid())


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match=r"cannot use .*file/data as the data folder: Not a directory"):
        claim.folder(tmp_path / "file" / "data").__enter__()


def test_a_busy_port_is_named() -> None:
    with claim.port("127.0.0.1", 0) as listener:
        number = listener.getsockname()[1]
        with pytest.raises(SetupError, match=f"cannot listen on 127.0.0.1:{number}: Address already in use"):
            claim.port("127.0.0.1", number).__enter__()
