"""Settings: every one documented, wrong ones stop the start, secrets stay out of sight."""

from __future__ import annotations

import stat
import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from hotline import settings
from hotline.errors import SetupError
from hotline.settings import NEEDED_SECRETS, OPEN_NAMES, SECRETS, ensure_secrets, handed_down, load, require_secrets

GOOD = {
    "TWILIO_ACCOUNT_SID": "AC" + "0123456789abcdef" * 2,
    "TWILIO_AUTH_TOKEN": "an auth token of this test",
    "HOTLINE_PEPPER": "a pepper of this test, 32 bytes and more",
    "HOTLINE_SECRET_KEY": "a secret key of this test, 32 bytes and more",
    "HOTLINE_SEAL_KEY": "0123456789abcdef" * 4,
}


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """An environment with an empty data folder and nothing else."""
    return {"HOTLINE_DATA": str(tmp_path / "data")}


def test_every_setting_is_documented() -> None:
    """config/hotline.toml has each setting with its default, each secret by name, and a comment above each."""
    text = (settings.config_folder() / "hotline.toml").read_text("utf-8")
    assert set(OPEN_NAMES) == set(tomllib.loads(text))
    assert [] == [name for name in SECRETS if f"# {name} " not in text]
    lines = text.splitlines()
    assert [] == [line for above, line in pairwise(lines) if " = " in line and above[:1] != "#"]


def test_file_holds_the_defaults(environ: dict[str, str]) -> None:
    """With the file as shipped and nothing else set, one machine can run a line from its data folder."""
    found = load(environ)
    assert f"sqlite:///{environ['HOTLINE_DATA']}/hotline.db" == found.database_url
    assert ("http://127.0.0.1:8080", None, None, ()) == (
        found.public_base_url,
        found.redis_url,
        found.contest,
        found.staff_numbers,
    )


def test_nearest_word_wins(environ: dict[str, str], tmp_path: Path) -> None:
    """What the command says beats the environment, which beats the file; nothing said counts as absent."""
    file = tmp_path / "own.toml"
    file.write_text('HOTLINE_CONTEST = "from-file"\nREDIS_URL = "redis://file"\nDATABASE_URL = "sqlite:///file.db"\n')
    environ |= {"HOTLINE_CONFIG": str(file), "HOTLINE_CONTEST": "from-environment", "DATABASE_URL": "sqlite:///e.db"}
    found = load(environ, DATABASE_URL="sqlite:///c.db", HOTLINE_CONTEST=None, HOTLINE_DATA=tmp_path)
    assert ("from-environment", "redis://file", "sqlite:///c.db", tmp_path) == (
        found.contest,
        found.redis_url,
        found.database_url,
        found.data,
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('HOTLINE_DATE = "x"', "HOTLINE_DATE is not a setting"),
        ('HOTLINE_PEPPER = "x"', "is a secret"),
        ("HOTLINE_DATA", "cannot be read"),
        ("HOTLINE_DATA = 7", "HOTLINE_DATA must be"),
        ("HOTLINE_STAFF_NUMBERS = [7]", "HOTLINE_STAFF_NUMBERS"),
        ("HOTLINE_STAFF_NUMBERS = 7", "HOTLINE_STAFF_NUMBERS"),
        ("HOTLINE_CAPACITY = 1.5", "HOTLINE_CAPACITY"),
    ],
)
def test_bad_file_stops_the_start(environ: dict[str, str], tmp_path: Path, text: str, word: str) -> None:
    """An unknown key, a secret, a wrong type or no TOML at all: one sentence that names it."""
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(SetupError, match=word):
        load({**environ, "HOTLINE_CONFIG": str(file)})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOTLINE_PEPPER", "31 bytes are one byte too few.."),
        ("HOTLINE_PEPPER", "a" * 64),
        ("HOTLINE_PEPPER_PREVIOUS", "short"),
        ("HOTLINE_SECRET_KEY", "changeme"),
        ("HOTLINE_SEAL_KEY", "0123"),
        ("TWILIO_ACCOUNT_SID", "AC123"),
        ("PUBLIC_BASE_URL", "line.example.org"),
        ("PUBLIC_BASE_URL", "ftp://line.example.org"),
        ("PUBLIC_BASE_URL", "https://user:word@line.example.org"),
        ("PUBLIC_BASE_URL", "https://@line.example.org"),
        ("PUBLIC_BASE_URL", "https://line.example.org/?a=b"),
        ("PUBLIC_BASE_URL", "https:///voice"),
        ("PUBLIC_BASE_URL", "https://line.example.org:port"),
        ("PUBLIC_BASE_URL", "https://line .example.org"),
        ("HOTLINE_STAFF_NUMBERS", "5155551234"),
        ("HOTLINE_STAFF_NUMBERS", "+15155551234, 911"),
        ("HOTLINE_NUMBERS", "5155551234"),
        ("HOTLINE_CAPACITY", "many"),
        ("HOTLINE_CAPACITY", "-1"),
        ("HOTLINE_METRICS_FROM", "localhost"),
        ("HOTLINE_METRICS_FROM", "10.0.0.1/8"),
        ("HOTLINE_PROXIES", "10.0.0"),
        ("HOTLINE_ALERT_NUMBERS", "911"),
        ("HOTLINE_ALERT_URL", "example.org/alerts"),
        ("HOTLINE_ALERT_URL", "https://example.org/a b"),
        ("HOTLINE_CALLS_A_MINUTE", "1.5"),
    ],
)
def test_wrong_value_stops_the_start(environ: dict[str, str], name: str, value: str) -> None:
    """The sentence names the setting; a secret's value is not in it."""
    with pytest.raises(SetupError, match=name) as caught:
        load({**environ, name: value})
    assert name not in SECRETS or value not in str(caught.value)


def test_unknown_override_is_refused(environ: dict[str, str]) -> None:
    """A name misspelt in our own code is found at once."""
    with pytest.raises(SetupError, match="HOTLINE_DATE is not a setting"):
        load(environ, HOTLINE_DATE="x")


def test_public_address_keeps_its_path(environ: dict[str, str]) -> None:
    """A path in front of the line stays, a slash at its end goes: signatures are over the whole."""
    assert "https://x.org:8443/line" == load({**environ, "PUBLIC_BASE_URL": "https://x.org:8443/line/"}).public_base_url


def test_staff_numbers_are_a_list(environ: dict[str, str]) -> None:
    """In the environment they stand with commas or spaces between them."""
    environ["HOTLINE_STAFF_NUMBERS"] = "+15155550100, +15155550101 +15155550102"
    assert ("+15155550100", "+15155550101", "+15155550102") == load(environ).staff_numbers


def test_numbers_and_capacity_are_handed_down(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts that `up` starts know the line's own numbers, what it can take and which policy it screens by."""
    monkeypatch.setattr("os.environ", {})
    given = {"HOTLINE_NUMBERS": "+15155550100 +15155550101", "HOTLINE_CAPACITY": "500", "HOTLINE_SCREENING": "/p.toml"}
    found = load({**environ, **given})
    assert (("+15155550100", "+15155550101"), 500, Path("/p.toml")) == (found.numbers, found.capacity, found.screening)
    assert given.items() <= handed_down(found).items()


def test_who_reads_metrics_and_where_alerts_go_is_handed_down(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """This machine alone reads them unless somebody says otherwise; an address for alerts is not shown."""
    monkeypatch.setattr("os.environ", {})
    assert ["127.0.0.0/8", "::1/128"] == [str(each) for each in load(environ).metrics_from]
    given = {
        "HOTLINE_METRICS_FROM": "10.1.0.0/16 fd00::/8",
        "HOTLINE_PROXIES": "127.0.0.1/32",
        "HOTLINE_ALERT_NUMBERS": "+15155550142",
        "HOTLINE_ALERT_URL": "https://hooks.example/secret-path",
        "HOTLINE_CALLS_A_MINUTE": "60",
    }
    found = load({**environ, **given})
    assert given.items() <= handed_down(found).items()
    assert "secret-path" not in repr(found)


def test_secrets_are_never_shown(environ: dict[str, str]) -> None:
    """Printing the settings, as a traceback or a log may, shows none of them, nor an address with a password in it."""
    environ |= {**GOOD, "DATABASE_URL": "postgresql+psycopg://u:hush-hush@h/d", "REDIS_URL": "redis://:hush-hush@h"}
    shown = repr(load(environ))
    assert [] == [value for value in (*GOOD.values(), "hush-hush") if value in shown]


@pytest.mark.parametrize("missing", NEEDED_SECRETS)
def test_real_line_needs_every_secret(environ: dict[str, str], missing: str) -> None:
    """A part that serves a real line does not start without one of them, and says which."""
    given = {**environ, **{name: value for name, value in GOOD.items() if name != missing}}
    with pytest.raises(SetupError, match=missing):
        require_secrets(load(given))
    assert require_secrets(load({**given, missing: GOOD[missing]}))


def test_secret_is_read_from_a_file(environ: dict[str, str], tmp_path: Path) -> None:
    """NAME_FILE names a file with the secret; both at once, or a file that is not there, stop the start."""
    file = tmp_path / "pepper"
    file.write_text(f"{GOOD['HOTLINE_PEPPER']}\n")
    environ["HOTLINE_PEPPER_FILE"] = str(file)
    assert GOOD["HOTLINE_PEPPER"] == load(environ).pepper
    with pytest.raises(SetupError, match="both set"):
        load({**environ, "HOTLINE_PEPPER": GOOD["HOTLINE_PEPPER"]})
    file.unlink()
    with pytest.raises(SetupError, match="cannot be read"):
        load(environ)


def test_secrets_are_made_once(environ: dict[str, str], tmp_path: Path) -> None:
    """Ten starts at once make one set, readable by its owner alone, good enough for a real line; it never changes."""
    data = tmp_path / "data"
    with ThreadPoolExecutor(10) as pool:
        made = list(pool.map(ensure_secrets, [data] * 10))
    assert [made[0]] * 10 == made
    assert 0o600 == stat.S_IMODE((data / "secrets.env").stat().st_mode)
    assert made[0]["HOTLINE_PEPPER"] == require_secrets(load(environ)).pepper
    assert made[0] == ensure_secrets(data)
    assert GOOD["HOTLINE_PEPPER"] == load({**environ, **GOOD}).pepper, "the environment wins"


def test_missing_secret_is_added_to_those_that_are_there(tmp_path: Path) -> None:
    """A folder of an earlier release gets what is new and keeps what it has."""
    file = tmp_path / "secrets.env"
    file.write_text(f"HOTLINE_PEPPER={GOOD['HOTLINE_PEPPER']}")
    file.chmod(0o600)
    made = ensure_secrets(tmp_path)
    assert set(NEEDED_SECRETS) == set(made)
    assert GOOD["HOTLINE_PEPPER"] == made["HOTLINE_PEPPER"] == settings.read_secrets(tmp_path)["HOTLINE_PEPPER"]


@pytest.mark.parametrize(("text", "mode", "word"), [("", 0o644, "read by others"), ("nonsense\n", 0o600, "line 1")])
def test_bad_secrets_file_stops_the_start(
    environ: dict[str, str], tmp_path: Path, text: str, mode: int, word: str
) -> None:
    """A file others can read is no secret any more, and a line that is none is not passed over."""
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "secrets.env"
    file.write_text(text)
    file.chmod(mode)
    with pytest.raises(SetupError, match=word):
        load(environ)


def test_parts_we_start_read_the_same_settings(environ: dict[str, str], tmp_path: Path) -> None:
    """What was settled on the command line reaches the processes of the line, from wherever they run."""
    ensure_secrets(tmp_path / "data")
    found = load(environ, PUBLIC_BASE_URL="http://127.0.0.1:9999", REDIS_URL="redis://x", HOTLINE_CONTEST="c")
    handed: Mapping[str, str] = handed_down(found)
    assert found == load(handed)
    assert [] == [name for name in SECRETS if name in handed]
