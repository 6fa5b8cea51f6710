"""Durations, sizes and marks as an instructor writes them, read exactly.

Every function takes the text of a scalar and returns None where it is not of its kind.
"""

import re
from fractions import Fraction

from grader.model.limits import GIB, KIB, MIB

_LONGEST = 24
_NUMBER = r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_DECIMAL = re.compile(_NUMBER)
_INTEGER = re.compile(r"-?[0-9]+")
_DURATION = re.compile(_NUMBER + r" *(ms|s|min|h)?")
_SIZE = re.compile(_NUMBER + r" *(B|KiB|MiB|GiB)?")
_TOLERANCE = re.compile(_NUMBER + r"(?:[eE][-+]?[0-9]{1,3})?")

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


def tolerance(text: str) -> float | None:
    """Read `1e-9` or `0.001`; never negative."""
    return float(text) if len(text) <= _LONGEST and _TOLERANCE.fullmatch(text) else None
