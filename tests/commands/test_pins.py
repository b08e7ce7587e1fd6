"""`pins`: new PINs go to a file of one's own, and the state of a change of pepper is told without one."""

from __future__ import annotations

import csv
import stat
from pathlib import Path

import pytest

from hotline import settings
from hotline.services.line import Line
from hotline.store.pins import Peppers
from tests.commands.conftest import Hotline

NEW_PEPPER = "another pepper of this test, 32 bytes and more"


def test_pins_go_to_a_file_of_ones_own_and_are_shown_nowhere(
    hotline: Hotline, data: Path, tmp_path: Path, line: Line
) -> None:
    out = tmp_path / "pins.csv"
    said = hotline("pins", "issue", "--precinct", "00013", "--out", out, "--data", data)
    with out.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert list(row) == ["county", "precinct", "code", "pin", "correction_code"]
    assert (row["county"], row["precinct"], row["code"]) == ("Adair", "1NW ADAIR", "00013")
    assert line.pins.check("00013", row["pin"])
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert row["pin"] not in said.out + said.err


def test_pins_never_overwrite_a_file_and_then_the_old_ones_still_work(
    hotline: Hotline, data: Path, tmp_path: Path, line: Line
) -> None:
    out = tmp_path / "pins.csv"
    hotline("pins", "issue", "--precinct", "00013", "--out", out, "--data", data)
    kept = out.read_text("utf-8")
    said = hotline("pins", "issue", "--precinct", "00013", "--out", out, "--data", data)
    assert (said.code, "File exists; PINs go to a file that does not exist yet" in said.err) == (2, True)
    assert out.read_text("utf-8") == kept
    assert line.pins.check("00013", kept.splitlines()[1].split(",")[3])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "pins.pdf"), "pins.pdf: PINs are written as CSV only; give a file that ends in .csv"),
        (("--precinct", "99999", "--out", "pins.csv"), "99999 is no precinct of iowa-2020; a code has five digits"),
        (
            ("--out", "/nowhere/pins.csv", "--precinct", "00013"),
            "cannot write /nowhere/pins.csv: No such file or direc",
        ),
    ],
)
def test_a_bad_request_for_pins_is_one_line(
    hotline: Hotline, data: Path, arguments: tuple[str, ...], said: str
) -> None:
    ended = hotline("pins", "issue", "--data", data, *arguments)
    assert (ended.code, ended.err.startswith(f"hotline: {said}"), ended.err.count("\n")) == (2, True, 1)


@pytest.fixture
def changed(data: Path, hotline: Hotline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two sites have packets and then the pepper is changed in the environment; the old pepper."""
    for place, code in enumerate(("00013", "00021")):
        hotline("pins", "issue", "--precinct", code, "--out", tmp_path / f"{place}.csv", "--data", data)
    monkeypatch.setenv("HOTLINE_PEPPER", NEW_PEPPER)
    return settings.read_secrets(data)["HOTLINE_PEPPER"]


def test_status_tells_how_far_a_change_of_pepper_is(
    hotline: Hotline, data: Path, changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Peppers go by a fingerprint, PINs by number."""
    monkeypatch.setenv("HOTLINE_PEPPER_PREVIOUS", changed)
    assert (
        "2 of 1,765 sites of iowa-2020 have a PIN\n"
        f"pepper {Peppers(changed).current}, still to move (HOTLINE_PEPPER_PREVIOUS): 2 PINs, 2 correction codes\n"
    ) == hotline("pins", "status", "--data", data).out


@pytest.mark.parametrize("command", ["web", "worker", "relay", "up"])
def test_no_part_starts_without_the_pepper_its_pins_need(
    hotline: Hotline, data: Path, changed: str, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Every call would end in an apology at its PIN: better to be told before the night, in one line."""
    monkeypatch.setenv("HOTLINE_DATA", str(data))
    for name in settings.NEEDED_SECRETS:
        monkeypatch.setenv(name, {**settings.read_secrets(data), "HOTLINE_PEPPER": NEW_PEPPER}[name])
    said = hotline(command, *(("--port", "0") if command == "up" else ()))
    wanted = f"hotline: 2 PINs and 2 correction codes were issued under pepper {Peppers(changed).current}, which is not"
    last = said.err.splitlines()[-1]
    assert (2, wanted) == (said.code, last[: len(wanted)])


def test_pins_are_issued_without_the_pepper_before(hotline: Hotline, data: Path, changed: str, tmp_path: Path) -> None:
    """The way out when a pepper is lost; until all are issued, status says in its last word what is missing."""
    said = hotline("pins", "issue", "--precinct", "00013", "--out", tmp_path / "again.csv", "--data", data)
    assert said.code == 0
    told = hotline("pins", "status", "--data", data)
    assert (2, True) == (told.code, "not set: 1 PINs, 1 correction codes" in told.out)
    assert "set HOTLINE_PEPPER_PREVIOUS to it, or issue them anew with hotline pins issue" in told.err
