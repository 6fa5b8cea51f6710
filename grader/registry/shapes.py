"""Tells whether an object that a plugin made has the types that its class states, also in its parts.

Python does not look at annotations.  A title that is None would fail far from the plugin, in code of ours,
and nobody would know whose it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import UnionType
from typing import Any, ClassVar, TypeVar, Union, get_args, get_origin, get_type_hints

_MOST = 10_000
"""Items of one container that are looked at: what is longer is no description."""

_TAKEN: Mapping[type, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    float: (int, float),
    Fraction: (int, Fraction),
}
"""The classes that are taken for a number or a text: True is no number here."""


def misfit(value: object, names: tuple[str, ...] = ()) -> str:
    """Return which attribute of an object is of another type than its class states, and which; else "".

    names: the attributes; all fields where it is a dataclass.
    """
    hints = get_type_hints(type(value))
    every = tuple(field.name for field in fields(value)) if is_dataclass(value) else names
    for name in every:
        found = getattr(value, name)
        if name in hints and not _fits(found, hints[name]):
            return f"`{name}` of its {type(value).__name__} is not of the right type, but {_short(found)}"
    return ""


def _short(value: object) -> str:
    """Return a value in a few words; a class may have any `__repr__`."""
    return repr(value)[:60] if type(value) in (str, int, float, bool, type(None)) else type(value).__name__


def _fits(value: Any, hint: Any) -> bool:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if origin is ClassVar:
        return _fits(value, args[0])
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in args)
    if origin is tuple:
        return isinstance(value, origin) and _parts_fit(value, args)
    if origin is frozenset:
        return isinstance(value, origin) and all(_fits(each, args[0]) for each in value)
    if origin is not None and origin in (Mapping, dict):
        return isinstance(value, Mapping) and all(
            _fits(k, args[0]) and _fits(v, args[1]) for k, v in value.items()
        )
    if origin in (Callable, get_origin(Callable[[], None])):
        return callable(value)
    kind = origin or hint
    if not isinstance(kind, type):
        return True  # what no family has
    if kind in _TAKEN:
        return type(value) in _TAKEN[kind] or (kind is str and isinstance(value, str))
    return isinstance(value, kind) and not (is_dataclass(kind) and misfit(value))


def _parts_fit(value: tuple[Any, ...], args: tuple[Any, ...]) -> bool:
    if len(args) == 2 and args[1] is ...:
        return len(value) <= _MOST and all(_fits(each, args[0]) for each in value)
    return len(value) == len(args) and all(map(_fits, value, args))
