"""Every setting, read once from the environment and a file, and checked. The only reader of the environment.

What each means and its default stand in `config/hotline.toml`; names are the same there and in the environment. Which
part of the product needs a setting is its own business: `require_secrets` is for the parts that serve a real line.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any

from hotline.errors import SetupError
from hotline.setting_values import (
    Network,
    account_sid,
    base_url,
    check_strength,
    count,
    folders,
    hook,
    networks,
    seal_key,
    telephone_numbers,
)

CONFIG = "HOTLINE_CONFIG"
"""Names a file to be read in place of config/hotline.toml."""

OPEN_NAMES = (
    "HOTLINE_DATA",
    "DATABASE_URL",
    "REDIS_URL",
    "PUBLIC_BASE_URL",
    "HOTLINE_CONTEST",
    "HOTLINE_STAFF_NUMBERS",
    "HOTLINE_NUMBERS",
    "HOTLINE_CAPACITY",
    "HOTLINE_SCREENING",
    "HOTLINE_SEAL_FOLDERS",
    "HOTLINE_METRICS_FROM",
    "HOTLINE_PROXIES",
    "HOTLINE_ALERT_NUMBERS",
    "HOTLINE_ALERT_URL",
    "HOTLINE_CALLS_A_MINUTE",
)
LISTS = (
    "HOTLINE_STAFF_NUMBERS",
    "HOTLINE_NUMBERS",
    "HOTLINE_METRICS_FROM",
    "HOTLINE_PROXIES",
    "HOTLINE_ALERT_NUMBERS",
)
COUNTS = ("HOTLINE_CAPACITY", "HOTLINE_CALLS_A_MINUTE")
NEEDED_SECRETS = (
    "TWILIO_ACCOUNT_SID",
    "TWILIO_AUTH_TOKEN",
    "HOTLINE_PEPPER",
    "HOTLINE_SECRET_KEY",
    "HOTLINE_SEAL_KEY",
)
SECRETS = (*NEEDED_SECRETS, "TWILIO_AUTH_TOKEN_SECONDARY", "HOTLINE_PEPPER_PREVIOUS")


@dataclass(frozen=True)
class Settings:
    """The settings as checked. Printing one shows no secret.

    `database_url`, `screening` and `seal_folders` are always filled in. `numbers` are those printed in packets, none
    when any number may be called; `capacity` is calls at once and `calls_a_minute` those expected at the peak, 0 when
    not known. `redis_url`, `contest`, `alert_url` and secrets are None where not set.
    """

    data: Path
    database_url: str = field(repr=False)
    redis_url: str | None = field(repr=False)
    public_base_url: str
    contest: str | None
    staff_numbers: tuple[str, ...] = field(repr=False)
    numbers: tuple[str, ...]
    capacity: int
    screening: Path
    seal_folders: tuple[Path, ...]
    metrics_from: tuple[Network, ...]
    proxies: tuple[Network, ...]
    alert_numbers: tuple[str, ...] = field(repr=False)
    alert_url: str | None = field(repr=False)
    calls_a_minute: int
    account_sid: str | None = field(repr=False)
    auth_token: str | None = field(repr=False)
    auth_token_secondary: str | None = field(repr=False)
    pepper: str | None = field(repr=False)
    pepper_previous: str | None = field(repr=False)
    secret_key: str | None = field(repr=False)
    seal_key: str | None = field(repr=False)


def load(environ: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
    """The settings from, first to last: `overrides` (by their names), the environment, the data folder's secrets.env,
    the settings file. Raises `SetupError` for one that is unknown in the file, or wrong.

    `environ` stands for the environment in a test. An override of None counts as absent.
    """
    environ = os.environ if environ is None else environ
    given = {name: value for name, value in overrides.items() if value is not None}
    if unknown := sorted(given.keys() - {*OPEN_NAMES, *SECRETS}):
        raise SetupError(f"{unknown[0]} is not a setting")
    values = {**_from_file(environ), **_open_values(environ), **given}
    data = Path(values["HOTLINE_DATA"])
    secrets = {**read_secrets(data), **_secret_values(environ), **given}
    return _checked(data, values, secrets)


def require_secrets(settings: Settings) -> Settings:
    """The settings, when every secret a real line needs is there; else `SetupError` naming those that are missing."""
    if missing := missing_secrets(settings):
        raise SetupError(
            f"Not set: {', '.join(missing)}. Set them in the environment, or run hotline up, which makes them"
        )
    return settings


def missing_secrets(settings: Settings) -> list[str]:
    """The secrets a real line needs that are not set, by name."""
    held = {
        "TWILIO_ACCOUNT_SID": settings.account_sid,
        "TWILIO_AUTH_TOKEN": settings.auth_token,
        "HOTLINE_PEPPER": settings.pepper,
        "HOTLINE_SECRET_KEY": settings.secret_key,
        "HOTLINE_SEAL_KEY": settings.seal_key,
    }
    return [name for name in NEEDED_SECRETS if not held[name]]


def handed_down(settings: Settings) -> dict[str, str]:
    """The environment for the parts `hotline up` starts: this process's own, and what was settled since.

    Secrets made in the data folder are not in it: each part reads them there.
    """
    settled = {
        "HOTLINE_DATA": str(settings.data.resolve()),
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PUBLIC_BASE_URL": settings.public_base_url,
        "HOTLINE_CONTEST": settings.contest,
        "HOTLINE_STAFF_NUMBERS": " ".join(settings.staff_numbers),
        "HOTLINE_NUMBERS": " ".join(settings.numbers),
        "HOTLINE_CAPACITY": str(settings.capacity),
        "HOTLINE_SCREENING": str(settings.screening.resolve()),
        "HOTLINE_SEAL_FOLDERS": ":".join(str(folder.resolve()) for folder in settings.seal_folders),
        "HOTLINE_METRICS_FROM": " ".join(map(str, settings.metrics_from)),
        "HOTLINE_PROXIES": " ".join(map(str, settings.proxies)),
        "HOTLINE_ALERT_NUMBERS": " ".join(settings.alert_numbers),
        "HOTLINE_ALERT_URL": settings.alert_url,
        "HOTLINE_CALLS_A_MINUTE": str(settings.calls_a_minute),
    }
    return {**os.environ, **{name: value for name, value in settled.items() if value}}


def set_aside(data: Path) -> None:
    """Take nothing of a real line's from the environment of this process and its children: they work on `data` alone.

    For rehearsals. The settings file may name a real line's database too, and the environment wins over it.
    """
    for name in (*OPEN_NAMES, *SECRETS):
        os.environ.pop(name, None)
        os.environ.pop(f"{name}_FILE", None)
    os.environ["HOTLINE_DATA"] = str(data.resolve())
    os.environ["DATABASE_URL"] = f"sqlite:///{data.resolve() / 'hotline.db'}"


def share_counts(folder: Path) -> None:
    """Say to this process and its children where they count requests together: Prometheus's library asks for it."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder.resolve())


def config_folder() -> Path:
    """The folder with hotline.toml, contests and prompts: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).parent
    return here / "config" if (here / "config").is_dir() else here.parent / "config"


def read_secrets(data: Path) -> dict[str, str]:
    """The secrets kept in the data folder, none when there is no secrets.env. Refuses one that others can read."""
    file = data / "secrets.env"
    if not file.is_file():
        return {}
    if stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise SetupError(f"{file} can be read by others: chmod 600 it, and change what was in it")
    return _parse(file.read_text("utf-8"), file)


def ensure_secrets(data: Path, draw: Callable[[int], str] = token_hex) -> dict[str, str]:
    """Make the secrets that the data folder does not have yet, keep them in secrets.env (0600), and return all of it.

    What is there is never changed; two processes starting at once get the same. The account and token made here are for
    the practice phone: a real carrier's come from the environment, which wins. `draw` gives so many bytes in
    hexadecimal; a rehearsal draws them from a seed.
    """
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(data / "secrets.env", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        held, made = read_secrets(data), []
        has_last_line_end = file.read()[-1:] in ("", "\n")
        for name in NEEDED_SECRETS:
            if name not in held:
                held[name] = f"AC{draw(16)}" if name == "TWILIO_ACCOUNT_SID" else draw(32)
                made.append(f"{name}={held[name]}\n")
        if made:
            file.write("".join(made if has_last_line_end else ["\n", *made]))
        file.flush()
        os.fsync(file.fileno())
    return held


def _parse(text: str, file: Path) -> dict[str, str]:
    held: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals or name not in SECRETS:
            raise SetupError(f"{file} line {number}: expected NAME=value with the name of a secret")
        held[name] = value
    return held


def _from_file(environ: Mapping[str, str]) -> dict[str, Any]:
    file = Path(environ.get(CONFIG) or config_folder() / "hotline.toml")
    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"{file} cannot be read: {error}") from error
    for name in values:
        if name in SECRETS:
            raise SetupError(f"{file}: {name} is a secret and does not belong in a file of settings")
        if name not in OPEN_NAMES:
            raise SetupError(f"{file}: {name} is not a setting")
        if name not in (*LISTS, *COUNTS) and not isinstance(values[name], str):
            raise SetupError(f"{file}: {name} must be text in quotes")
    defaults: dict[str, Any] = dict.fromkeys(OPEN_NAMES, "")
    return {**defaults, "HOTLINE_DATA": "hotline-data", "PUBLIC_BASE_URL": "http://127.0.0.1:8080", **values}


def _open_values(environ: Mapping[str, str]) -> dict[str, Any]:
    return {name: environ[name] for name in OPEN_NAMES if environ.get(name)}


def _secret_values(environ: Mapping[str, str]) -> dict[str, str]:
    held: dict[str, str] = {}
    for name in SECRETS:
        value, file = environ.get(name), environ.get(f"{name}_FILE")
        if value and file:
            raise SetupError(f"{name} and {name}_FILE are both set; keep one")
        if file:
            try:
                value = Path(file).read_text("utf-8").strip()
            except OSError as error:
                raise SetupError(f"{name}_FILE: {file} cannot be read: {error.strerror}") from error
        if value:
            held[name] = value
    return held


def _checked(data: Path, values: Mapping[str, Any], secrets: Mapping[str, str]) -> Settings:
    for name in ("HOTLINE_PEPPER", "HOTLINE_PEPPER_PREVIOUS", "HOTLINE_SECRET_KEY"):
        check_strength(name, secrets.get(name))
    return Settings(
        data=data,
        database_url=values["DATABASE_URL"] or f"sqlite:///{data / 'hotline.db'}",
        redis_url=values["REDIS_URL"] or None,
        public_base_url=base_url(values["PUBLIC_BASE_URL"]),
        contest=values["HOTLINE_CONTEST"] or None,
        staff_numbers=telephone_numbers("HOTLINE_STAFF_NUMBERS", values["HOTLINE_STAFF_NUMBERS"]),
        numbers=telephone_numbers("HOTLINE_NUMBERS", values["HOTLINE_NUMBERS"]),
        capacity=count("HOTLINE_CAPACITY", values["HOTLINE_CAPACITY"]),
        screening=Path(values["HOTLINE_SCREENING"] or config_folder() / "screening.toml"),
        seal_folders=folders(values["HOTLINE_SEAL_FOLDERS"]) or (data / "seal",),
        metrics_from=networks("HOTLINE_METRICS_FROM", values["HOTLINE_METRICS_FROM"]),
        proxies=networks("HOTLINE_PROXIES", values["HOTLINE_PROXIES"]),
        alert_numbers=telephone_numbers("HOTLINE_ALERT_NUMBERS", values["HOTLINE_ALERT_NUMBERS"]),
        alert_url=hook("HOTLINE_ALERT_URL", values["HOTLINE_ALERT_URL"]),
        calls_a_minute=count("HOTLINE_CALLS_A_MINUTE", values["HOTLINE_CALLS_A_MINUTE"]),
        account_sid=account_sid(secrets.get("TWILIO_ACCOUNT_SID")),
        auth_token=secrets.get("TWILIO_AUTH_TOKEN"),
        auth_token_secondary=secrets.get("TWILIO_AUTH_TOKEN_SECONDARY"),
        pepper=secrets.get("HOTLINE_PEPPER"),
        pepper_previous=secrets.get("HOTLINE_PEPPER_PREVIOUS"),
        secret_key=secrets.get("HOTLINE_SECRET_KEY"),
        seal_key=seal_key(secrets.get("HOTLINE_SEAL_KEY")),
    )
