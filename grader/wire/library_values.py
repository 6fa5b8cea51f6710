"""Values of the standard library that cross between processes as what they are made from.

A date crosses as its year, month and day, and the other side makes a date of them.  Both sides use this
module, and one of them is hostile: a value is known by the identity of its exact type.
"""

import sys
from collections.abc import Callable
from typing import Any

_PARTS: dict[str, Callable[[Any], tuple[object, ...] | None]] = {
    "builtins.bytearray": lambda v: (bytes(v),),
    "builtins.range": lambda v: (v.start, v.stop, v.step),
    "builtins.slice": lambda v: (v.start, v.stop, v.step),
    "collections.Counter": lambda v: ({**v},),
    "collections.OrderedDict": lambda v: ([*v.items()],),
    "collections.deque": lambda v: ([*v], v.maxlen),
    "datetime.date": lambda v: (v.year, v.month, v.day),
    "datetime.datetime": lambda v: _of_datetime(v) if v.tzinfo is None and not v.fold else None,
    "datetime.time": lambda v: (
        (v.hour, v.minute, v.second, v.microsecond) if v.tzinfo is None and not v.fold else None
    ),
    "datetime.timedelta": lambda v: (v.days, v.seconds, v.microseconds),
    "decimal.Decimal": lambda v: (str(v),),
    "fractions.Fraction": lambda v: (v.numerator, v.denominator),
}


def _of_datetime(value: Any) -> tuple[object, ...]:
    return value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond


def parts_of(value: object) -> tuple[str, tuple[object, ...]] | None:
    """Return the name of a value's type and what it is made from; None for any other value."""
    kind = type(value)
    for name, parts in _PARTS.items():
        module, _, member = name.partition(".")
        loaded = sys.modules.get(module)
        if loaded is not None and loaded.__dict__.get(member) is kind:
            made_from = parts(value)
            return None if made_from is None else (name, made_from)
    return None


def is_known(name: str) -> bool:
    """Tell whether a type crosses in this way."""
    return name in _PARTS


def made(name: str, parts: list[Any]) -> object:
    """Return the value.  Raises `KeyError` for an unknown type, and what the type raises."""
    _PARTS[name]
    module, _, member = name.partition(".")
    __import__(module)
    return getattr(sys.modules[module], member)(*parts)
