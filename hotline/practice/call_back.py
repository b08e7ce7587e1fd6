"""A call of the line itself: the practice carrier rings a number on file, and whoever has it picks up."""

from __future__ import annotations

from hotline.practice.interpreter import Dialled


def called_back(sid: str, account: str, number: str, ours: str, request: int) -> Dialled:
    """A call the line itself has asked for, from its own number to one on file; `request` is the call-back's."""
    back = {"Direction": "outbound-api"}
    return Dialled(sid, account, ours, number, back, f"/voice/back/answer/{request}", f"/voice/back/ended/{request}")
