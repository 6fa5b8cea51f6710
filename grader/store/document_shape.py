"""Whether a part of `results.json` holds what its type says, all the way down.

A file that was edited or damaged can be JSON with every key in its place and still hold a text for a
number, or a mark that is none.  What reads the file after this relies on the types of `document_types`.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints, is_typeddict

from grader.marking.rounding import parse_mark

_Check: TypeAlias = Callable[[Any], bool]

_MARK = re.compile(r"-?[0-9]{1,2000}(?:\.[0-9]{1,2000}|/[0-9]{0,1000}[1-9][0-9]{0,1000})?", re.ASCII)
_MARKS = frozenset({"mark", "max_mark", "score", "weight", "amount", "before", "after"})
"""Keys whose texts are read as numbers; see `grader.marking.rounding.format_mark`."""
_KNOWN = 4096
_BEYOND = 10**300
"""What is as large as this is no number of ours, and is not within what a float holds when it is shown."""


def fits(value: Any, shape: Any) -> bool:
    """Tell whether plain data has the shape of a typed dictionary; further keys are nobody's business."""
    return _check_of(shape)(value)


@cache
def _check_of(shape: Any) -> _Check:
    if shape is Any:
        return lambda _: True
    if is_typeddict(shape):
        return _dictionary(shape)
    if isinstance(shape, UnionType):
        checks = [_check_of(one) for one in get_args(shape)]
        return lambda value: any(check(value) for check in checks)
    kind = get_origin(shape) or shape
    if kind is dict:
        each = _check_of(get_args(shape)[1])
        return lambda value: isinstance(value, dict) and all(map(each, value.values()))
    if kind is float:
        # What is no number is not less than another one either.
        return lambda value: isinstance(value, float | int) and abs(value) < _BEYOND
    if kind is int:
        return lambda value: isinstance(value, int) and abs(value) < _BEYOND
    if isinstance(kind, type) and kind in (str, bool, NoneType):
        return lambda value: isinstance(value, kind)
    # A list, or what a list is read from.
    each = _check_of(get_args(shape)[0])
    return lambda value: isinstance(value, list) and all(map(each, value))


def _dictionary(shape: Any) -> _Check:
    required: frozenset[str] = shape.__required_keys__
    hints = get_type_hints(shape)
    # Most of a document are texts that must be there: those are looked at all at once.
    texts = [key for key, kind in hints.items() if kind is str and key in required and key not in _MARKS]
    checks = [
        (key, _mark_or(_check_of(kind)) if key in _MARKS else _check_of(kind), key in required)
        for key, kind in hints.items()
        if key not in texts
    ]

    def check(value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        for key in texts:
            if type(value.get(key)) is not str:
                return False
        return all(holds(value[key]) if key in value else not is_due for key, holds, is_due in checks)

    return check


def _mark_or(check: _Check) -> _Check:
    return lambda value: _is_mark(value) if isinstance(value, str) else check(value)


@lru_cache(_KNOWN)
def _is_mark(text: str) -> bool:
    return bool(_MARK.fullmatch(text)) and abs(parse_mark(text)) < _BEYOND
