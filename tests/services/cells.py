"""Where each row of a table lies in a SQLite file: pages found by `dbstat`, cells by the file format's section 1.6."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

LEAF = 0x0D


@dataclass(frozen=True)
class Cell:
    """One row's record in the file: bytes `start` to `end`, header and content, none on an overflow page."""

    table: str
    row: int
    start: int
    end: int


def cells(file: Path, tables: tuple[str, ...]) -> list[Cell]:
    """The cells of the tables' rows. Raises where one overflows its page: choose smaller rows."""
    whole = file.read_bytes()
    size = int.from_bytes(whole[16:18])
    with closing(sqlite3.connect(file)) as raw:
        marks = ",".join("?" * len(tables))
        pages = raw.execute(
            f"SELECT name, pageno FROM dbstat WHERE name IN ({marks}) AND pagetype = 'leaf'", tables
        ).fetchall()
    return [cell for table, page in pages for cell in _of_page(whole, table, (page - 1) * size, size)]


def _of_page(whole: bytes, table: str, page: int, size: int) -> list[Cell]:
    assert whole[page] == LEAF
    count = int.from_bytes(whole[page + 3 : page + 5])
    pointers = [int.from_bytes(whole[page + 8 + 2 * at : page + 10 + 2 * at]) for at in range(count)]
    return [_cell(whole, table, page + pointer, size) for pointer in pointers]


def _cell(whole: bytes, table: str, at: int, size: int) -> Cell:
    length, at = _varint(whole, at)
    row, at = _varint(whole, at)
    assert length <= size - 35, "the row overflows its page"
    return Cell(table, row, at, at + length)


def _varint(whole: bytes, at: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        value = value << 7 | whole[at] & 0x7F
        at += 1
        if whole[at - 1] < 0x80:
            return value, at
    return value << 8 | whole[at], at + 1
