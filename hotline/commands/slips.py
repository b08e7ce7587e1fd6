"""PINs on paper: one slip for each precinct, four to a letter page, to be cut apart and put into the packets.

The one home of the fpdf2 library. Its own fonts know western European letters; what else a name may have is printed
as "?", beside the code that tells the precinct for certain.
"""

from __future__ import annotations

from collections.abc import Iterable

from fpdf import FPDF

from hotline.caucus.contest import Contest, Precinct
from hotline.store.pins import Packet

A_PAGE = 4
_WIDTH, _HEIGHT, _EDGE = 215.9, 279.4 / A_PAGE, 20.0
"""Millimetres."""


def slips(contest: Contest, packets: Iterable[Packet]) -> bytes:
    """The PDF, a slip for each packet in its order."""
    pdf = FPDF(format="letter")
    pdf.set_auto_page_break(False)
    pdf.set_title(f"PINs, {_printable(contest.title)}")
    for place, packet in enumerate(packets):
        if place % A_PAGE == 0:
            pdf.add_page()
        _slip(pdf, _HEIGHT * (place % A_PAGE), contest, packet)
    return bytes(pdf.output())


def _slip(pdf: FPDF, top: float, contest: Contest, packet: Packet) -> None:
    precinct = contest.precincts[packet.precinct]
    if top:
        pdf.set_dash_pattern(dash=2, gap=2)
        pdf.line(0, top, _WIDTH, top)
    _write(pdf, top + 10, 10, contest.title)
    _write(pdf, top + 16, 14, _name(precinct), is_bold=True)
    for line, (what, digits) in enumerate(
        (
            ("Precinct code", precinct.code),
            ("PIN", f"{packet.pin[:4]} {packet.pin[4:]}"),
            ("Correction code", packet.correction_code),
        )
    ):
        _write(pdf, top + 26 + 9 * line, 11, what)
        _write(pdf, top + 26 + 9 * line, 18, digits, left=_EDGE + 40, is_bold=True)
    _write(pdf, top + 56, 9, "Show this to nobody. The line asks for the code first, then the PIN; the correction code")
    _write(pdf, top + 60, 9, "only to change a report that was confirmed, or when the line calls you back.")


def _name(precinct: Precinct) -> str:
    return f"{precinct.county}: {precinct.name}"


def _write(pdf: FPDF, top: float, size: float, text: str, *, left: float = _EDGE, is_bold: bool = False) -> None:
    """One line of text, smaller where it would not fit."""
    printed, room = _printable(text), _WIDTH - _EDGE - left
    pdf.set_font("courier" if is_bold else "helvetica", "B" if is_bold else "", size)
    pdf.set_font_size(min(size, size * room / max(pdf.get_string_width(printed), 1)))
    pdf.set_xy(left, top)
    pdf.cell(room, 8, printed)


def _printable(text: str) -> str:
    return text.encode("latin-1", "replace").decode("latin-1")
