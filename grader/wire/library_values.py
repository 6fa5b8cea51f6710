"""Values of the standard library that cross between processes as what they are made from.

A date crosses as its year, month and day, and the other side makes a date of them.  Both sides use this
module, and one of them is hostile: a value is known by the identity of its exact type, and a subclass is
another type.  No module is imported before a value of its kind is made.

Of a time zone the offset from UTC at that moment crosses, in microseconds; its name and `fold` do not.
"""

import builtins
import sys
from collections.abc import Callable, Sequence
from typing import Any

NAMES = {
    "datetime": "datetime", "date": "datetime", "time": "datetime", "timedelta": "datetime",
    "timezone": "datetime", "Fraction": "fractions", "Decimal": "decimal", "Path": "pathlib",
}  # fmt: skip
"""Names that a spec can use without an import, with their modules."""

BUILT_IN = frozenset(
    name
    for name, value in vars(builtins).items()
    if name[0] != "_" and (value in (None, True, False, ..., NotImplemented) or isinstance(value, type))
) - {"super", "type"}
"""Names of Python's own that a program can answer with: classes and constants.

A function, such as `eval`, stays in the program's process, and so does `type`: called with what the program
answered, it would run the program's code beside the tests.
"""

_MOST_BITS = 10_000
_MOST_CHARACTERS = 10_000

_PARTS: dict[str, Callable[[Any], tuple[object, ...] | None]] = {
    "builtins.bytearray": lambda v: (bytes(v),),
    "builtins.range": lambda v: (v.start, v.stop, v.step),
    "builtins.slice": lambda v: (v.start, v.stop, v.step),
    "collections.Counter": lambda v: ({**v},),
    "collections.OrderedDict": lambda v: ([*v.items()],),
    "collections.defaultdict": lambda v: (v.default_factory, {**v}),
    "collections.deque": lambda v: ([*v], v.maxlen),
    "datetime.date": lambda v: (v.year, v.month, v.day),
    "datetime.datetime": lambda v: (v.year, v.month, v.day, *_clock(v)),
    "datetime.time": lambda v: _clock(v),
    "datetime.timedelta": lambda v: (v.days, v.seconds, v.microseconds),
    "decimal.Decimal": lambda v: None if v.is_snan() else (str(v),),
    "fractions.Fraction": lambda v: (v.numerator, v.denominator),
    "pathlib.Path": lambda v: (v.as_posix(),),
}
_CLASSES = {"pathlib.Path": ("PosixPath", "PurePosixPath", "WindowsPath")}
"""The classes of values that have another name."""

_NUMBERS = {
    "builtins.range": 3, "datetime.date": 3, "datetime.datetime": 8, "datetime.time": 5,
    "datetime.timedelta": 3, "fractions.Fraction": 2,
}  # fmt: skip
"""Kinds of data that are made from ints, with their number; the last, an offset, can be None."""
_TEXTS = ("decimal.Decimal", "pathlib.Path")
"""Kinds of data that are made from one text."""
_WITH_OFFSET = ("datetime.datetime", "datetime.time")


def _clock(value: Any) -> tuple[object, ...]:
    return value.hour, value.minute, value.second, value.microsecond, _offset_us(value)


def _offset_us(value: Any) -> int | None:
    """Return the offset from UTC, as the time zone says, which can be an object of a student's."""
    offset = value.utcoffset()
    if offset is None:
        return None
    read = sys.modules["datetime"].timedelta.__dict__
    days, seconds, rest = (read[name].__get__(offset) for name in ("days", "seconds", "microseconds"))
    return (days * 86_400 + seconds) * 1_000_000 + rest  # type: ignore[no-any-return]


def named_in(source: str) -> dict[str, object]:
    """Return those of `NAMES` that occur in a source text, with what they name."""
    found = [name for name in NAMES if name in source]
    return {name: getattr(__import__(NAMES[name]), name) for name in found}


def parts_of(value: object) -> tuple[str, tuple[object, ...]] | None:
    """Return the name of a value's type and what it is made from; None for any other value."""
    kind = type(value)
    for name, parts in _PARTS.items():
        module, _, member = name.partition(".")
        loaded = sys.modules.get(module)
        if loaded is None:
            continue
        if any(loaded.__dict__.get(each) is kind for each in _CLASSES.get(name, (member,))):
            try:
                made_from = parts(value)
            except BaseException:
                # Such as a time zone whose code fails.
                return None
            return None if made_from is None else (name, made_from)
    return None


def data_of(value: object) -> tuple[str, tuple[object, ...]] | None:
    """Return the same for a value that is data by itself and is not too large; None for any other value."""
    found = parts_of(value)
    return found if found is not None and _is_data(*found) else None


def _is_data(name: str, parts: Sequence[object]) -> bool:
    if name in _TEXTS:
        return len(parts) == 1 and type(parts[0]) is str and len(parts[0]) <= _MOST_CHARACTERS
    if len(parts) != _NUMBERS.get(name):
        return False
    numbers = parts[:-1] if name in _WITH_OFFSET and parts[-1] is None else parts
    return all(type(number) is int and number.bit_length() <= _MOST_BITS for number in numbers)


def is_bounded(name: str, parts: Sequence[object]) -> bool:
    """Tell whether a value of a known type is made in little time, unlike a Fraction of a million digits."""
    return _is_data(name, parts) if name in _TEXTS or name in _NUMBERS else name in _PARTS


def is_known(name: str) -> bool:
    """Tell whether a type crosses in this way."""
    return name in _PARTS


def made(name: str, parts: Sequence[Any], *, pure: bool = False) -> Any:
    """Return the value.  Raises `KeyError` for an unknown type, and what the type raises.

    pure: a path without methods that look at files.
    """
    _PARTS[name]
    module, _, member = name.partition(".")
    __import__(module)
    loaded: Any = sys.modules[module]
    if name in _WITH_OFFSET:
        *parts, offset = parts
        zone = None if offset is None else loaded.timezone(loaded.timedelta(microseconds=offset))
        return getattr(loaded, member)(*parts, zone)
    return getattr(loaded, "PurePosixPath" if pure and name == "pathlib.Path" else member)(*parts)


def made_of_bytes(name: str, parts: Sequence[object]) -> object:
    """Return a value from parts that anybody may have written.  Raises `ValueError`."""
    if not _is_data(name, parts):
        raise ValueError(f"no parts of a {name}")
    try:
        value = made(name, parts, pure=True)
    except Exception as error:
        raise ValueError(f"no {name}: {type(error).__name__}") from None
    if parts_of(value) is None:
        raise ValueError(f"no {name} that can be compared")
    return value
