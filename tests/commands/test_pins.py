"""`pins`: new PINs go to a file of one's own, and the state of a change of pepper is told without one."""

from __future__ import annotations

import csv
import re
import stat
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from hotline import settings
from hotline.commands.slips import slips
from hotline.services.line import Line
from hotline.store.pins import Packet, Peppers
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


def test_slips_are_printed_for_the_packets(hotline: Hotline, data: Path, tmp_path: Path, line: Line) -> None:
    """One slip for each precinct, in a file of one's own, with the PIN that works."""
    out = tmp_path / "pins.pdf"
    said = hotline("pins", "issue", "--precinct", "00013", "--out", out, "--data", data)
    assert (said.code, stat.S_IMODE(out.stat().st_mode)) == (0, 0o600)
    printed = words(out.read_bytes())
    assert {"00013", "Adair: 1NW ADAIR", "Precinct code", "PIN", "Correction code"} <= set(printed)
    pin = printed[printed.index("PIN") + 1].replace(" ", "")
    correction_code = printed[printed.index("Correction code") + 1]
    assert line.pins.check("00013", pin)
    assert line.pins.check_correction("00013", correction_code)
    assert pin not in said.out + said.err


def test_slips_stand_four_to_a_page(line: Line) -> None:
    """Every packet has its slip; a letter that the printer's fonts lack hides nothing that is needed."""
    contest = replace(
        line.contest,
        precincts={
            code: replace(precinct, name="Łódź Hall") if code == "00013" else precinct
            for code, precinct in line.contest.precincts.items()
        },
    )
    printed = slips(contest, [Packet(code, "85720394", "4711") for code in list(contest.precincts)[:9]])
    assert 3 == printed.count(b"/Type /Page\n")
    assert 9 == words(printed).count("8572 0394")
    assert "Adair: ?ód? Hall" in words(printed)


def test_long_name_is_set_smaller_and_not_cut_off(line: Line) -> None:
    """Iowa's longest has 87 letters; in Courier each is six tenths of its size wide, and 499 points are free."""
    code = max(line.contest.precincts, key=lambda code: len(line.contest.precincts[code].name))
    precinct = line.contest.precincts[code]
    printed = slips(line.contest, [Packet(code, "85720394", "4711")])
    (size,) = re.findall(rf"/F2 ([\d.]+) Tf ET\nBT [\d. ]+Td \({precinct.county}: ", content(printed))
    assert 480 < 0.6 * float(size) * len(f"{precinct.county}: {precinct.name}") < 499


def words(pdf: bytes) -> list[str]:
    """What a PDF writes, piece by piece."""
    return re.findall(r"\((.*?)\) Tj", content(pdf))


def content(pdf: bytes) -> str:
    """The drawing commands of all pages."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)
    return "".join(zlib.decompress(each).decode("latin-1") for each in streams)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "pins.txt"), "pins.txt: PINs are written as CSV or as PDF; give a file that ends in .csv or .pdf"),
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
