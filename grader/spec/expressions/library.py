"""Makes values of the standard library from the arguments of a call in a spec."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from grader.model.values import Value
from grader.spec.expressions.arithmetic import ArithmeticRefused
from grader.wire.library_values import data_of
from grader.yamlfile.source import shown

_CLOCK = ("hour", "minute", "second", "microsecond")
_WHOLE: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "date": (date, ("year", "month", "day")),
    "datetime": (datetime, ("year", "month", "day", *_CLOCK)),
    "time": (time, _CLOCK),
}
"""Constructors that take whole numbers, with their parameters."""
WITH_ZONE = frozenset({"datetime", "time"})
CONSTRUCTORS = ("date", "datetime", "time", "timedelta", "Fraction", "Decimal", "Path")

_PARTS_OF_TIMEDELTA = (*("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"),)
_FRACTION = re.compile(r"[+-]?\d{1,3000}(/\d{1,3000}|\.\d{1,3000})?")


def constructed(
    name: str, args: Sequence[Value], named: Sequence[tuple[str, Value]], zone: timezone | None
) -> Value:
    """Return the value of a call of one of `CONSTRUCTORS`.  Raises `ArithmeticRefused`."""
    try:
        value = _MAKERS[name](name, args, dict(named), zone)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise ArithmeticRefused(f"`{name}` does not take this: {shown(str(error))}") from None
    if data_of(value) is None:
        raise ArithmeticRefused(f"this `{name}` is too large, or a NaN that signals")
    return value


def _whole(name: str, args: Sequence[Value], named: dict[str, Value], zone: timezone | None) -> Value:
    make, parameters = _WHOLE[name]
    _check(name, args, named, parameters, (int,), "whole numbers")
    return make(*args, **named, **({"tzinfo": zone} if zone is not None else {}))


def _timedelta(name: str, args: Sequence[Value], named: dict[str, Any], zone: timezone | None) -> Value:
    _check(name, args, named, _PARTS_OF_TIMEDELTA, (int, float), "numbers")
    return timedelta(*args, **named)  # type: ignore[arg-type]


def _fraction(name: str, args: Sequence[Any], named: dict[str, Any], zone: timezone | None) -> Value:
    match args:
        case [str(text)] if not named and _FRACTION.fullmatch(text):
            return Fraction(text)
        case [int(), int()] | [int()] if not named and all(type(arg) is int for arg in args):
            return Fraction(*args)
    raise ArithmeticRefused("`Fraction` takes one or two whole numbers, or a text", "such as Fraction(1, 3)")


def _decimal(name: str, args: Sequence[Any], named: dict[str, Any], zone: timezone | None) -> Value:
    if len(args) == 1 and not named and type(args[0]) in (int, str):
        return Decimal(args[0])
    hint = 'a float is not exact, so write Decimal("0.1")' if args and type(args[0]) is float else ""
    raise ArithmeticRefused("`Decimal` takes one text or whole number", hint or 'such as Decimal("0.1")')


def _path(name: str, args: Sequence[Any], named: dict[str, Any], zone: timezone | None) -> Value:
    if named or any(type(arg) is not str for arg in args):
        raise ArithmeticRefused("`Path` takes texts", 'such as Path("a/b")')
    return PurePosixPath(*args)


def _check(
    name: str,
    args: Sequence[Value],
    named: dict[str, Value],
    parameters: tuple[str, ...],
    kinds: tuple[type, ...],
    words: str,
) -> None:
    unknown = next((each for each in named if each not in parameters), None)
    if unknown is not None or len(args) > len(parameters):
        what = f"has no `{shown(unknown)}` here" if unknown else f"takes at most {len(parameters)} here"
        raise ArithmeticRefused(f"`{name}` {what}", f"it has {', '.join(parameters)}")
    if any(type(value) not in kinds for value in (*args, *named.values())):
        raise ArithmeticRefused(f"`{name}` takes {words}")


_MAKERS: dict[str, Callable[..., Value]] = {
    **dict.fromkeys(_WHOLE, _whole),
    "timedelta": _timedelta,
    "Fraction": _fraction,
    "Decimal": _decimal,
    "Path": _path,
}
