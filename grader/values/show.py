"""Shows values as text for people: as Python that pastes into a shell, as far as possible.

The text is bounded, and so is the work: only the part of a huge value that is shown is read.  The text is one
line of printable characters.  A medium (HTML, a terminal) escapes the rest by its own rules.
"""

import math
from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias, TypeVar

from grader.model.values import Value
from grader.values.canonical import sorting_key
from grader.values.sort import SHOWN, sort_of, unregistered

DEFAULT_LIMIT = 2000
SHORTEST_LIMIT = 20
"""The least limit; a smaller one counts as this, since a shorter text has no room for the omitted count."""

_MAX_LEVELS = 100
_MAX_SORTED = 1000
"""Larger sets are only counted: unsorted, they would look different in every run."""
_SORTED_BY = 50
"""The most items of an element that are read to find its place in a set."""
MAX_NAME = 100
LEAST_ROOM = 8
_MAX_DIGITS = 400
_SHORT_INT = 24
"""The most characters of an int that is never shown as a count of digits, which would not be shorter."""
_COUNTED_EXACTLY_BITS = 1_000_000
_MIDDLE_ROOM = 100
"""The least room in which a long text shows its end too."""

# Unicode's tables call these printable, but they show nothing: fillers, joiners, variation selectors.
_INVISIBLE = (
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
    *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
)
_ESCAPES = {point: chr(point).encode("unicode_escape").decode("ascii") for point in _INVISIBLE}

Text = TypeVar("Text", str, bytes)


def show(value: Value, limit: int = DEFAULT_LIMIT) -> str:
    """Return `value` as text of at most `limit` characters (at least 20).

    Omitted parts are counted: `[1, 2, … 98 more]`, `'abc'… 994 characters …'xyz'`,
    `<int of 120000 digits>`, `<set of 5000 items>`; `…` alone stands for a value that is too deep.
    """
    room = max(limit, SHORTEST_LIMIT)
    text = fitted(value, room, 0)
    return text if len(text) <= room else text[: room - 1] + "…"


def type_name(value: Value) -> str:
    """Return the name of a value's type, as the student knows it."""
    return sort_of(value).type_name(value)


def times(count: int) -> str:
    """Return `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


class TooLong(Exception):
    """The whole text does not fit."""


def fitted(value: Value, room: int, level: int) -> str:
    """Return the whole text of `value` if it fits into `room`, else as much of it as fits."""
    try:
        whole = bounded(value, room, level, True)
    except TooLong:
        whole = ""
    return whole if 0 < len(whole) <= room else bounded(value, room, level, False)


def bounded(value: Value, room: int, level: int, whole: bool) -> str:
    """Return the text of `value`.  If it must be `whole`, raise `TooLong` rather than shorten it."""
    kind = type(value)
    if value is None or kind is bool:
        return str(value)
    # Short ways for what there is most of; the sorts of these say the same.
    if kind is int:
        return int_text(value, room)  # type: ignore[arg-type]  # by its class
    if kind is str and whole and len(value) <= room:  # type: ignore[arg-type]
        return quoted(value)  # type: ignore[arg-type]
    if level >= _MAX_LEVELS and sort_of(value).is_container:
        return "…"
    write = SHOWN.get(kind) or unregistered(kind).shown
    return write(value, room, level, whole)


# -- containers ------------------------------------------------------------------------------------

Entries: TypeAlias = Iterable[tuple[str, Value]]
"""The items of a container, each with its label."""


def joined(
    brackets: tuple[str, str], entries: Entries, total: int, room: int, level: int, *, whole: bool
) -> str:
    """Return the entries between brackets; as many as fit, and the number of the others."""
    parts: list[str] = []
    left = room - len(brackets[0]) - len(brackets[1])
    for position, (label, item) in enumerate(entries):
        keep_free = 0 if whole or position == total - 1 else len(f", … {total - position} more")
        item_room = left - len(label) - keep_free
        if whole and item_room < 0:
            raise TooLong
        if not whole and item_room < LEAST_ROOM:
            parts.append(f"… {total - position} more")
            break
        write = bounded(item, item_room, level + 1, True) if whole else fitted(item, item_room, level + 1)
        parts.append(label + write)
        left -= len(parts[-1]) + len(", ")
    return ", ".join(parts).join(brackets)


def unlabelled(values: Iterable[Value]) -> Entries:
    """Return the items of a container that are alone in their places."""
    return (("", value) for value in values)


def label(key: Value, room: int, level: int, whole: bool) -> str:
    """Return the text before an item that has a key."""
    shown = bounded(key, room, level + 1, True) if whole else fitted(key, room // 2, level + 1)
    return f"{shown}: "


def members(name: str, items: Collection[Value], room: int, level: int, whole: bool) -> str:
    """Return the text of a set or frozenset, or its size if it is too large to be sorted."""
    if not items:
        return f"{name}()"
    if len(items) > _MAX_SORTED:
        return f"<{name} of {len(items)} items>"
    if whole and len(items) > room:
        raise TooLong
    brackets = ("{", "}") if name == "set" else ("frozenset({", "})")
    ordered = sorted(items, key=lambda element: sorting_key(element, _SORTED_BY))
    return joined(brackets, unlabelled(ordered), len(items), room, level, whole=whole)


# -- numbers and texts -----------------------------------------------------------------------------


def text_within(value: Text, room: int, quote: Callable[[Text], str], unit: str, whole: bool) -> str:
    """Return a long text, quoted; if it need not be whole, as much of it as fits."""
    if not whole:
        return elided(value, room, quote, unit)
    if len(value) > room:
        raise TooLong
    return quote(value)


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
    """Return a float in a form that Python reads back, nan and infinities too."""
    return repr(value) if math.isfinite(value) else f"float('{value!r}')"


def complex_text(value: complex) -> str:
    """Return a complex number in a form that Python reads back, nan and infinities too."""
    if math.isfinite(value.real) and math.isfinite(value.imag):
        return repr(value)
    return f"complex({float_text(value.real)}, {float_text(value.imag)})"


def quoted(text: str) -> str:
    """Return a string as a Python literal in which every character can be seen."""
    return repr(text).translate(_ESCAPES)


def visible(text: str) -> str:
    """Return Python text in which no character is invisible."""
    return text.translate(_ESCAPES)


def safe_line(text: str, limit: int) -> str:
    """Return a hostile text as one line of visible characters, without quotes, cut at `limit`."""
    seen = "".join([char if char.isprintable() else repr(char)[1:-1] for char in text[:limit]])
    escaped = seen.translate(_ESCAPES)
    return escaped if max(len(text), len(escaped)) <= limit else escaped[: limit - 1] + "…"


def elided(value: Text, room: int, quote: Callable[[Text], str], unit: str) -> str:
    """Return a long text as its start, a count of the omitted part and, given room, its end."""
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
