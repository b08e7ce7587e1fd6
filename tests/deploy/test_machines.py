"""What runs the line on a machine of its own: the files parse, and what they start exists."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hotline.cli import hotline as main
from hotline.clock import Clock
from hotline.settings import OPEN_NAMES, SECRETS, load
from tests.house.sources import ROOT

DEPLOY = ROOT / "config" / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PARTS = {"web", "relay", "worker", "migrate"}


def unit(file: Path) -> configparser.ConfigParser:
    """A systemd unit; a key may stand there more than once, the last is read."""
    found = configparser.ConfigParser(strict=False, interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read_string(file.read_text("utf-8"))
    return found


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def starts(arguments: list[str]) -> None:
    """The command exists and takes these arguments."""
    command = main.get_command(click.Context(main), arguments[0])
    assert command is not None, arguments
    command.make_context(arguments[0], arguments[1:])


def test_there_is_a_unit_for_every_part() -> None:
    """Each of them is wanted by the target, or required by those that are."""
    started = {unit(file)["Service"]["ExecStart"].split()[1] for file in UNITS}
    assert started == PARTS
    wanted = unit(DEPLOY / "systemd" / "hotline.target")["Unit"]["Wants"].split()
    assert {re.sub("@.*", "@", each.removesuffix(".service")) for each in wanted} == {
        file.stem for file in UNITS if "migrate" not in file.stem
    }


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_a_unit_starts_what_exists_and_keeps_to_itself(file: Path) -> None:
    """As a user of its own, its data nobody else's; a part that dies is started again at once."""
    service = unit(file)["Service"]
    starts(service["ExecStart"].split()[1:])
    assert (service["User"], service["StateDirectoryMode"], service["ProtectSystem"]) == ("hotline", "0700", "strict")
    if "migrate" not in file.stem:
        assert (service["Restart"], service["RestartSec"]) == ("always", "1")
        assert "hotline-migrate.service" in unit(file)["Unit"]["Requires"]


def test_the_settings_files_name_settings(tmp_path: Path) -> None:
    """The example environment is one the line takes."""
    lines = (DEPLOY / "systemd" / "hotline.env").read_text("utf-8").splitlines()
    named = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert set(named) <= {*OPEN_NAMES, *SECRETS}
    assert load({**named, "HOTLINE_DATA": str(tmp_path)}).numbers == ("+15155550100",)


def test_compose_starts_every_part_once_the_database_is_ready(tmp_path: Path) -> None:
    """With settings the line takes, and no port open but the proxy's."""
    services = compose()["services"]
    ours = {name: each for name, each in services.items() if each.get("image") == "hotline"}
    assert set(ours) == PARTS
    for service in ours.values():
        starts([str(word) for word in service["command"]])
        assert "ports" not in service
    settings = ours["web"]["environment"]
    found = load({**settings, "HOTLINE_DATA": str(tmp_path)})
    assert [str(each) for each in found.proxies] == ["172.16.0.0/12"]
    assert set(ours["web"]["depends_on"]) == {"migrate", "queue"}
    assert [name for name, each in services.items() if "ports" in each] == ["proxy"]


def test_the_queue_of_compose_keeps_what_it_is_given() -> None:
    """As `hotline worker` asks of it."""
    command = " ".join(compose()["services"]["queue"]["command"])
    for kept in ("--appendonly yes", "--appendfsync everysec", "--maxmemory-policy noeviction"):
        assert kept in command


def test_the_image_is_built_from_what_is_locked() -> None:
    """Every package with its hash, and no root in the end."""
    made = (DEPLOY / "Dockerfile").read_text("utf-8").splitlines()
    assert "RUN pip install --no-cache-dir -r config/requirements.lock" in made
    assert "USER hotline" in made[made.index("COPY . .") :]


@pytest.mark.parametrize("file", ["Caddyfile", "nginx.conf"])
def test_a_proxy_passes_on_whole_requests_with_their_address_and_never_the_figures(file: str) -> None:
    """Both say the same, each in its words."""
    said = (DEPLOY / "proxy" / file).read_text("utf-8")
    words = {
        "Caddyfile": ("request_buffers 64KiB", "X-Forwarded-For {http.request.remote.host}", "respond @inside 404"),
        "nginx.conf": ("proxy_request_buffering on", "X-Forwarded-For $remote_addr", "location = /metrics"),
    }[file]
    for word in words:
        assert word in said
    assert said.count("{") == said.count("}")


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for a day, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "line.example.org")])
    now = Clock().now()
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    files = folder / "chain.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return files


@pytest.mark.outside
def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    """As nginx itself judges it, with a certificate that is there."""
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    assert nginx, "nginx comes with Debian's nginx-light"
    chain, key = certificate(tmp_path)
    said = (DEPLOY / "proxy" / "nginx.conf").read_text("utf-8")
    said = re.sub(r"/etc/letsencrypt\S+fullchain\.pem", str(chain), said)
    said = re.sub(r"/etc/letsencrypt\S+privkey\.pem", str(key), said)
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{said}\n}}\n")
    ran = subprocess.run([nginx, "-t", "-c", str(whole)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
