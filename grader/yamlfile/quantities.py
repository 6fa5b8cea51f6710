"""Durations, sizes and marks as an instructor writes them, read exactly.

Every function takes the text of a scalar and returns None if it is not of its kind.
"""

import re
from datetime import datetime
from fractions import Fraction

from grader.model.limits import GIB, KIB, MIB

_LONGEST = 24
_NUMBER = r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_DECIMAL = re.compile(_NUMBER)
_INTEGER = re.compile(r"-?[0-9]+")
_DURATION = re.compile(_NUMBER + r" *(ms|s|min|h)?")
_SIZE = re.compile(_NUMBER + r" *(B|KiB|MiB|GiB)?")
_TOLERANCE = re.compile(_NUMBER + r"(?:[eE][-+]?[0-9]{1,3})?")

_LONGEST_MOMENT = 40
_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2}-[0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]+))?)?"
    r" ?(Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)"
)

_SECONDS = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    None: Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
}
_BYTES = {"B": 1, None: 1, "KiB": KIB, "MiB": MIB, "GiB": GIB}


def decimal(text: str) -> Fraction | None:
    """Read `2`, `0.5` or `.5`; exactly, and never negative."""
    return Fraction(text) if len(text) <= _LONGEST and _DECIMAL.fullmatch(text) else None


def integer(text: str) -> int | None:
    """Read a whole number."""
    return int(text) if len(text) <= _LONGEST and _INTEGER.fullmatch(text) else None


def duration_s(text: str) -> Fraction | None:
    """Read `500ms`, `30s`, `2min`, `1h` or a plain number of seconds; return seconds."""
    match = _DURATION.fullmatch(text) if len(text) <= _LONGEST else None
    return Fraction(match[1]) * _SECONDS[match[2]] if match else None


def size_b(text: str) -> int | None:
    """Read `1GiB`, `512MiB`, `64KiB`, `100B` or a plain number of bytes; return bytes, rounded down."""
    match = _SIZE.fullmatch(text) if len(text) <= _LONGEST else None
    return int(Fraction(match[1]) * _BYTES[match[2]]) if match else None


_UNITS = {
    "ms": "millisecond milliseconds msec msecs",
    "s": "sec secs second seconds",
    "min": "m mins minute minutes",
    "h": "hr hrs hour hours",
    "KiB": "k kb kib",
    "MiB": "m mb mib",
    "GiB": "g gb gib",
    "B": "b byte bytes",
}
_WORDED = re.compile(_NUMBER + r" *([A-Za-z]+)")
_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FRACTION = re.compile(r"([0-9]{1,6}) ?/ ?([1-9][0-9]{0,5})")


def duration_meant(text: str) -> str:
    """Return the duration that a text such as `2m` or `30 seconds` seems to mean; empty for none."""
    return _with_unit(text, ("ms", "s", "min", "h"))


def size_meant(text: str) -> str:
    """Return the size that a text such as `64MB` or `1g` seems to mean; empty for none."""
    return _with_unit(text, ("B", "KiB", "MiB", "GiB"))


def _with_unit(text: str, units: tuple[str, ...]) -> str:
    match = _WORDED.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        return ""
    word = match[2].casefold()
    return next((match[1] + unit for unit in units if word in (unit.casefold(), *_UNITS[unit].split())), "")


def number_meant(text: str) -> str:
    """Return the number that `two`, `2 points`, `1/2` or `1,5` seems to mean; empty for another text."""
    text = text.strip().casefold()
    if text in _NUMBER_WORDS:
        return str(_NUMBER_WORDS.index(text))
    if match := _FRACTION.fullmatch(text):
        value = int(match[1]) / int(match[2])
        return f"{value:g}" if decimal(f"{value:g}") is not None else ""
    first = text.partition(" ")[0] if len(text) <= _LONGEST else ""
    for found in (first.replace(",", "."), re.sub(r"[a-z]+$", "", first)):
        if decimal(found) is not None:
            return found
    return ""


def share(text: str) -> Fraction | None:
    """Read `1%`, `0.5 %` or `0.01`; exactly, and never negative."""
    number = text.removesuffix("%").rstrip() if text.endswith("%") else text
    value = decimal(number)
    return value / 100 if value is not None and text.endswith("%") else value


def penalty(text: str) -> tuple[Fraction, bool] | None:
    """Read `15%` as a share, with the flag True, or `1.5` as marks."""
    is_share = text.endswith("%")
    value = share(text) if is_share else decimal(text)
    return (value, is_share) if value is not None else None


def moment(text: str) -> datetime | None:
    """Read a date and time with its zone, ISO 8601, also with blanks instead of the T and before the zone.

    Years from 1970 to 2999; fractions of a microsecond are cut off.
    """
    match = _MOMENT.fullmatch(text) if len(text) <= _LONGEST_MOMENT else None
    if match is None or not "1970" <= match[1] <= "2999":
        return None
    seconds = match[5] or "00"
    fraction = f".{match[6][:6]:0<6}" if match[6] else ""
    zone = "Z" if match[7] == "UTC" else match[7]
    time = f"{match[3]}:{match[4]}:{seconds}{fraction}{zone}"
    try:
        return datetime.fromisoformat(f"{match[1]}-{match[2]}T{time}")
    except ValueError:
        return None


def tolerance(text: str) -> float | None:
    """Read `1e-9` or `0.001`; never negative."""
    return float(text) if len(text) <= _LONGEST and _TOLERANCE.fullmatch(text) else None
