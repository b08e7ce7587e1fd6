"""What only one stack may have at a time: its data folder and its port."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hotline.errors import SetupError


@contextmanager
def folder(data: Path) -> Iterator[None]:
    """Hold the data folder, made if need be. Raises SetupError naming the process that has it.

    The lock is the kernel's: it goes with the process, however that ends, so no stale file can keep a line shut.
    """
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SetupError(f"cannot use {data} as the data folder: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        yield
    except BlockingIOError as error:
        holder = os.pread(handle, 20, 0).decode() or "unknown"
        raise SetupError(
            f"{data} already has a line running (process {holder}); stop that one, or choose another folder with --data"
        ) from error
    finally:
        os.close(handle)


@contextmanager
def port(host: str, number: int) -> Iterator[socket.socket]:
    """A listening socket, 0 for any free port. Raises SetupError when the port is taken.

    The stack holds the socket and hands it to the web part, so that calls wait in the kernel, and are not refused,
    during the second the web part needs to come back after a crash.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, number))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise SetupError(f"cannot listen on {host}:{number}: {error.strerror}; choose another with --port") from error
    try:
        yield listener
    finally:
        listener.close()
