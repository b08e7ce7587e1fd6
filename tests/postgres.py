"""A PostgreSQL of one's own, on a socket in a temporary folder, that can be killed and started again."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

STARTS = 20
_numbered = itertools.count(1)


class Postgres:
    """The server; guards its folder. Left running until `remove`."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="hotline-pg-"))
        # PostgreSQL refuses to run as root; any other user will do.
        account = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        os.chown(self._folder, account.pw_uid, account.pw_gid)
        self._as: dict[str, Any] = {"cwd": self._folder}
        if os.geteuid() == 0:
            self._as |= {"user": account.pw_uid, "group": account.pw_gid}
        self._data = self._folder / "data"
        self._run(_program("initdb"), "-D", self._data, "-U", "hotline", "--no-sync", "-E", "UTF8", "--locale=C")
        self.start()

    def start(self) -> None:
        """Start the server, also after a kill; returns when it answers."""
        options = f"-k {self._folder} -c listen_addresses='' -c max_connections=300 -c recovery_init_sync_method=syncfs"
        command = (_program("pg_ctl"), "-D", self._data, "-w", "-o", options, "-l", self._folder / "log", "start")
        for _ in range(STARTS - 1):
            try:
                return self._run(*command)
            except subprocess.CalledProcessError:
                time.sleep(0.5)  # what the killed server left running holds its memory until it has noticed
        return self._run(*command)

    def kill(self) -> None:
        """`kill -9` of the server; its backends end by themselves."""
        os.kill(int((self._data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"test{next(_numbered)}"
        admin = create_engine(self._url("postgres"), isolation_level="AUTOCOMMIT")
        with admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        admin.dispose()
        return self._url(name)

    def remove(self) -> None:
        """Stop the server and take its folder away."""
        if not (self._data / "postmaster.pid").exists():
            self.start()
        self._run(_program("pg_ctl"), "-D", self._data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(self._folder)

    def _url(self, name: str) -> str:
        return f"postgresql+psycopg://hotline@/{name}?host={self._folder}"

    def _run(self, *command: str | Path) -> None:
        subprocess.run(command, check=True, capture_output=True, **self._as)


def _program(name: str) -> str:
    found = shutil.which(name) or next(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), None)
    assert found, f"{name} is not installed"
    return found
