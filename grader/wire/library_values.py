"""Values of the standard library that cross between processes as what they are made from.

A date crosses as its year, month and day, and the other side makes a date of them.  Both sides use this
module, and one of them is hostile: a value is known by the identity of its exact type, and a subclass is
another type.  No module is imported for a value before one of its kind is made.

Of a time zone the offset from UTC at that moment crosses, in microseconds; its name and `fold` do not.
"""

import builtins
import sys
from collections import ChainMap, Counter, OrderedDict, defaultdict
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
    "array.array": lambda v: (v.typecode, v.tolist()),
    "builtins.bytearray": lambda v: (bytes(v),),
    "builtins.dict_items": lambda v: ([*v],),
    "builtins.dict_keys": lambda v: ([*v],),
    "builtins.dict_values": lambda v: ([*v],),
    "builtins.range": lambda v: (v.start, v.stop, v.step),
    "builtins.slice": lambda v: (v.start, v.stop, v.step),
    "collections.ChainMap": lambda v: ([*v.maps],) if all(map(_is_dict, v.maps)) else None,
    "collections.Counter": lambda v: ({**v},),
    "collections.OrderedDict": lambda v: ([*v], [*v.values()]),
    "collections.UserDict": lambda v: (v.data,) if _is_dict(v.data) else None,
    "collections.UserList": lambda v: (v.data,) if type(v.data) is list else None,
    "collections.defaultdict": lambda v: (v.default_factory, {**v}),
    "collections.deque": lambda v: ([*v], v.maxlen),
    "datetime.date": lambda v: (v.year, v.month, v.day),
    "datetime.datetime": lambda v: (v.year, v.month, v.day, *_clock(v)),
    "datetime.time": lambda v: _clock(v),
    "datetime.timedelta": lambda v: (v.days, v.seconds, v.microseconds),
    "decimal.Decimal": lambda v: None if v.is_snan() else (str(v),),
    "fractions.Fraction": lambda v: (v.numerator, v.denominator),
    "pathlib.Path": lambda v: (v.as_posix(),),
    # What lies behind it can have ways of its own to answer; its copy tells its type.
    "types.MappingProxyType": lambda v: (copy,) if _is_dict(copy := v.copy()) else None,
}
_CLASSES = {"pathlib.Path": ("PosixPath", "PurePosixPath", "WindowsPath")}
"""The classes of values that have another name."""
_VIEWS: dict[type, str] = {
    type(view): f"builtins.dict_{name}"
    for name in ("items", "keys", "values")
    for view in (getattr({}, name)(), getattr(OrderedDict[object, object](), name)())
}
"""Types that no module names."""
READ_ONLY = frozenset({*_VIEWS.values(), "types.MappingProxyType"})
"""Kinds of values that change nothing for whoever holds a copy."""
SNAPSHOTS = READ_ONLY | {
    *("array.array", "collections.ChainMap", "collections.UserDict", "collections.UserList")
}
"""Kinds of values that cross as what they hold now: the other side does not see what becomes of them."""

_NUMBERS = {
    "builtins.range": 3, "datetime.date": 3, "datetime.datetime": 8, "datetime.time": 5,
    "datetime.timedelta": 3, "fractions.Fraction": 2,
}  # fmt: skip
"""Kinds of data that are made from ints, with their number; the last, an offset, can be None."""
_TEXTS = ("decimal.Decimal", "pathlib.Path")
"""Kinds of data that are made from one text."""
_WITH_OFFSET = ("datetime.datetime", "datetime.time")
_HOLDS: dict[str, tuple[type, ...]] = {
    "array.array": (str, list), "builtins.bytearray": (bytes,), "builtins.slice": (object, object, object),
    "collections.Counter": (dict,), "collections.OrderedDict": (list, list), "collections.UserDict": (dict,),
    "collections.defaultdict": (object, dict), "collections.deque": (list, object),
    "types.MappingProxyType": (dict,),
}  # fmt: skip
"""The types of the parts of other kinds; a list alone if they are not here.

Anything does for `object`, and for a dict also what derives from it in the library.
"""
_MAKERS: dict[str, Callable[..., object]] = {
    "builtins.dict_items": lambda items: dict(items).items(),
    "builtins.dict_keys": lambda keys: dict.fromkeys(keys).keys(),
    "builtins.dict_values": lambda values: dict(enumerate(values)).values(),
    "collections.ChainMap": lambda maps: ChainMap(*filter(_is_dict, maps)),
    "collections.OrderedDict": lambda keys, values: OrderedDict(zip(keys, values, strict=True)),
}
"""What makes a value of its parts, where its class does not."""


def _clock(value: Any) -> tuple[object, ...]:
    return value.hour, value.minute, value.second, value.microsecond, _offset_us(value)


def _is_dict(value: object) -> bool:
    """Tell whether a value is a dict of Python's own, which answers nothing in a way of a student's."""
    return any(type(value) is kind for kind in (dict, Counter, OrderedDict, defaultdict))


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


def is_data(value: object) -> bool:
    """Tell whether a value is of a type that can cross as what it is made from."""
    return bool(_name_of(type(value)))


def parts_of(value: object) -> tuple[str, tuple[object, ...]] | None:
    """Return the name of a value's type and what it is made from; None for any other value."""
    name = _name_of(type(value))
    if not name:
        return None
    try:
        made_from = _PARTS[name](value)
    except BaseException:
        # Such as a time zone whose code fails.
        return None
    return None if made_from is None else (name, made_from)


def _name_of(kind: type) -> str:
    """Return the name of a type by its identity; "" for one that does not cross."""
    for each, name in _VIEWS.items():
        if each is kind:
            return name
    for name in _PARTS:
        module, _, member = name.partition(".")
        names = vars(sys.modules[module]) if module in sys.modules else {}
        if any(names.get(each) is kind for each in _CLASSES.get(name, (member,))):
            return name
    return ""


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
    """Tell whether a value of a known type is made in little time, unlike a Fraction of a million digits.

    A container is, if it is made of one that has crossed, and not of a range.
    """
    if name in _TEXTS or name in _NUMBERS:
        return _is_data(name, parts)
    kinds = _HOLDS.get(name, (list,))
    if name not in _PARTS or len(parts) != len(kinds):
        return False
    return all(
        kind is object or type(part) is kind or (kind is dict and _is_dict(part))
        for kind, part in zip(kinds, parts, strict=True)
    )


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
    if name in _MAKERS:
        return _MAKERS[name](*parts)
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
