"""Check digits: one wrong digit, or two neighbours swapped, never reach another precinct or another report.

Damm's scheme (H. M. Damm, "Total anti-symmetrische Quasigruppen", 2004): a quasigroup of order 10 whose running product
over a valid number, check digit included, is 0. Used by precinct codes and confirmation numbers. Codes are text
throughout: leading zeros matter.
"""

from __future__ import annotations

from functools import reduce

_PRODUCT = (
    (0, 3, 1, 7, 5, 9, 8, 6, 4, 2),
    (7, 0, 9, 2, 1, 5, 4, 8, 6, 3),
    (4, 2, 0, 6, 8, 7, 1, 3, 5, 9),
    (1, 7, 5, 0, 9, 8, 3, 4, 2, 6),
    (6, 1, 2, 3, 0, 4, 5, 9, 7, 8),
    (3, 6, 7, 4, 2, 0, 9, 5, 8, 1),
    (5, 8, 6, 9, 7, 2, 0, 1, 3, 4),
    (8, 9, 4, 5, 3, 6, 2, 0, 1, 7),
    (9, 4, 3, 8, 6, 1, 7, 2, 0, 5),
    (2, 5, 8, 1, 4, 3, 6, 7, 9, 0),
)


def check_digit(digits: str) -> str:
    """The digit to write behind `digits` (ASCII digits only; anything else raises ValueError)."""
    if not _are_digits(digits):
        raise ValueError(f"{digits!r} is not a row of digits")
    return str(reduce(lambda row, digit: _PRODUCT[row][int(digit)], digits, 0))


def with_check_digit(digits: str) -> str:
    """`digits` followed by their check digit: "0001" becomes "00013"."""
    return digits + check_digit(digits)


def is_valid(code: str) -> bool:
    """Whether the last digit of `code` is the check digit of those before it. Any text may be asked about."""
    return len(code) > 1 and _are_digits(code) and check_digit(code) == "0"


def _are_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()
