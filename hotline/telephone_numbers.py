"""Telephone numbers as values: E.164 out of what people write, and where a North American number belongs.

The one home of the phonenumbers library, which knows every country's rules from tables of its own and asks nobody.
Nothing here says that a number is in use or whose it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from phonenumbers import (
    NumberParseException,
    PhoneNumberFormat,
    ValidationResult,
    format_number,
    is_possible_number_with_reason,
    is_valid_number,
    parse,
)

E164 = re.compile(r"\+[1-9][0-9]{6,14}", re.ASCII)
"""A number in full, as the carrier writes it; withheld numbers and `sip:` addresses are none."""

COUNTRY = "US"
"""Where a number is dialled from that is written without its country."""

_WRITTEN = re.compile(r"[0-9+()./\u2010-\u2015 -]+", re.ASCII)
_LIKE = "write it like (515) 555-0123 or, abroad, +44 20 7946 0123, and format the column as text"
_WRONG = {
    ValidationResult.TOO_SHORT: "has too few digits for a telephone number",
    ValidationResult.TOO_LONG: "has too many digits for a telephone number",
    ValidationResult.INVALID_LENGTH: "has as many digits as no telephone number of its country",
    ValidationResult.IS_POSSIBLE_LOCAL_ONLY: "has no area code",
}


@dataclass(frozen=True)
class Reading:
    """What was made of a number as written: `number` in E.164, or "" and in `problem` what is wrong and what to do.

    `is_doubtful`: the digits are as many as they should be, but no such number is known to be given out.
    """

    number: str = field(default="", repr=False)
    problem: str = ""
    is_doubtful: bool = False


def read_number(written: str) -> Reading:
    """A number in any usual spelling: "(515) 555-0100", "515.555.0100", "+44 20 7946 0123", "011 44 20 7946 0123".

    Letters are refused, those on the keys too: an O for a zero would become another number without a word.
    """
    if not _WRITTEN.fullmatch(written):
        return Reading(problem=f"is not a telephone number; {_LIKE}")
    try:
        parsed = parse(written, COUNTRY)
    except NumberParseException as wrong:
        is_abroad = wrong.error_type == NumberParseException.INVALID_COUNTRY_CODE
        return Reading(problem=f"{'has no known country code' if is_abroad else 'is not a telephone number'}; {_LIKE}")
    number = format_number(parsed, PhoneNumberFormat.E164)
    what = _WRONG.get(is_possible_number_with_reason(parsed))
    if what is None and not E164.fullmatch(number):
        what = _WRONG[ValidationResult.TOO_SHORT]
    return Reading(problem=f"{what}; {_LIKE}") if what else Reading(number, "", not is_valid_number(parsed))


def area_of(number: str) -> str:
    """The area code of a North American number (E.164), three digits; "" for any other."""
    return number[2:5] if _is_north_american(number) else ""


def block_of(number: str) -> str:
    """The thousand numbers a North American one was given out with (+1 and NPA-NXX-X); "" for any other."""
    return number[:9] if _is_north_american(number) else ""


def _is_north_american(number: str) -> bool:
    return number.startswith("+1") and len(number) == 12
