"""Starts a program that must not outlive the process that wanted it: `python leash.py PARENT_PID PROGRAM ARGUMENT…`.

When `hotline up` is killed outright it cannot stop what it started. Linux sends a process a signal of its choice when
its parent dies, and keeps that wish over `exec`; but only the process itself can make it. Python's `preexec_fn` would
run between fork and exec, which is unsafe beside threads, and Valkey is not ours to change. So every part is started
through this file, which makes the wish and becomes the program. It imports nothing of the product: it must be quick.

Elsewhere than on Linux there is no such wish; a part then stops with its supervisor only when that can say so.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def tie_to(parent: int) -> bool:
    """Ask for SIGTERM when the parent dies. False when it is dead already: then nobody wants this program."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    return os.getppid() == parent


def main(arguments: list[str]) -> None:
    """Tie this process to `arguments[0]` and become the program named by the rest."""
    parent, program = int(arguments[0]), arguments[1:]
    if tie_to(parent):
        os.execv(program[0], program)  # noqa: S606 - to become another program is the purpose


if __name__ == "__main__":
    main(sys.argv[1:])
