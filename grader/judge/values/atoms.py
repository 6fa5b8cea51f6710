"""Single values as bounded text: numbers, strings, and hostile text without quotes.

`grader.judge.values.show` builds on it for containers.
"""

import math
from collections.abc import Callable
from typing import TypeVar

_MAX_DIGITS = 400
_SHORT_INT = 24
"""Characters of an int that a count of its digits would not shorten."""
_COUNTED_EXACTLY_BITS = 1_000_000
_MIDDLE_ROOM = 100
"""From this room on, a long text shows its end too."""

# Printable by Unicode's tables, and yet nothing to see: fillers, joiners, variation selectors.
_INVISIBLE = (
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
    *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
)
_ESCAPES = {point: chr(point).encode("unicode_escape").decode("ascii") for point in _INVISIBLE}

Text = TypeVar("Text", str, bytes)


def int_text(value: int, room: int) -> str:
    """Return an int in full if it has at most 400 digits and fits, else its number of digits."""
    # The interpreter refuses to print ints beyond a limit, and printing them takes quadratic time.
    if value.bit_length() < 3 * _MAX_DIGITS:
        text = str(value)
        if len(text) <= max(room, _SHORT_INT):
            return text
    return f"<{'negative ' if value < 0 else ''}int of {_digits(abs(value))} digits>"


def _digits(value: int) -> int:
    """Count the decimal digits of an int > 0; beyond 300,000 digits it may be one off."""
    digits = math.floor(math.log10(value)) + 1
    if value.bit_length() <= _COUNTED_EXACTLY_BITS:
        digits += (value >= 10**digits) - (value < 10 ** (digits - 1))
    return digits


def float_text(value: float) -> str:
    """Return a float so that Python reads it back, nan and infinities too."""
    return repr(value) if math.isfinite(value) else f"float('{value!r}')"


def complex_text(value: complex) -> str:
    """Return a complex number so that Python reads it back, nan and infinities too."""
    if math.isfinite(value.real) and math.isfinite(value.imag):
        return repr(value)
    return f"complex({float_text(value.real)}, {float_text(value.imag)})"


def quoted(text: str) -> str:
    """Return a string as a Python literal in which every character can be seen."""
    return repr(text).translate(_ESCAPES)


def visible(text: str, limit: int) -> str:
    """Return a hostile text as one line of visible characters, without quotes, cut at `limit`."""
    seen = "".join([char if char.isprintable() else repr(char)[1:-1] for char in text[:limit]])
    escaped = seen.translate(_ESCAPES)
    return escaped if max(len(text), len(escaped)) <= limit else escaped[: limit - 1] + "…"


def elided(value: Text, room: int, quote: Callable[[Text], str], unit: str) -> str:
    """Return a long text as its start, a count of what is left out and, given room, its end."""
    if room < _MIDDLE_ROOM:
        start = _fitting(value, room - len(f"… {len(value)} more"), quote, False)
        return f"{quote(start)}… {len(value) - len(start)} more"
    half = (room - len(f"… {len(value)} {unit} …")) // 2
    start, end = _fitting(value, half, quote, False), _fitting(value, half, quote, True)
    return f"{quote(start)}… {len(value) - len(start) - len(end)} {unit} …{quote(end)}"


def _fitting(value: Text, room: int, quote: Callable[[Text], str], from_end: bool) -> Text:
    """Return as much of the start (or the end) of a text as fits into `room` when quoted."""
    size = max(0, min(room - len(quote(value[:0])), len(value)))
    while size > 0:
        part = value[len(value) - size :] if from_end else value[:size]
        length = len(quote(part))
        if length <= room:
            return part
        size = min(size - 1, size * room // length)
    return value[:0]
