"""Frozen dataclasses that take a tenth of the time to make: each method is made when it is first used.

`dataclasses.dataclass(frozen=True, slots=True)` writes six methods and compiles them one by one, a
millisecond for each class.  A check of one submission imports a hundred of those, and uses few of
their methods (docs/design/start.md).  Type checkers see the decorator of the standard library, and
what comes out behaves as if it was that one's: `fields`, `replace`, `asdict`, patterns, pickle.

Not for classes that can be changed or ordered, nor for the base of one that is made the usual way.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields, make_dataclass
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_METHODS = ("__init__", "__repr__", "__eq__", "__hash__")

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen, slots, kw_only=False):
        """Make a frozen dataclass with slots: both are said for the reader, and neither can be False."""
        if not (frozen and slots):
            raise TypeError("grader.model.frozen makes frozen dataclasses with slots, and no others")
        return lambda cls: _frozen(cls, kw_only)


def _frozen(cls: type, kw_only: bool) -> type:
    # A class with `__eq__` of its own has None for `__hash__`, which is nobody's wish.
    missing = [name for name in _METHODS if vars(cls).get(name) is None]
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    methods: dict[str, Callable[..., Any]] = {name: _made_late(made, name) for name in missing}
    methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        setattr(made, name, method)
    return made


def _made_late(cls: type, name: str) -> Callable[..., Any]:
    """Return a method that has the true one made, puts it in its own place, and calls it."""

    def method(self: object, *args: object, **kwargs: object) -> Any:
        true = _initializer(cls) if name == "__init__" else _from_a_twin(cls, name)
        setattr(cls, name, true)
        return true(self, *args, **kwargs)

    return method


def _initializer(cls: Any) -> Callable[..., Any]:
    """Compile `__init__` by itself: a twin's comes with two methods more, each as long to make."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_not_given": MISSING}
    positional, by_name = ["self"], list[str]()
    body: list[str] = []
    for field in fields(cls):
        name = value = field.name
        default = ""
        if field.default is not MISSING:
            known[f"_default_{name}"] = field.default
            default = f"=_default_{name}"
        elif field.default_factory is not MISSING:
            known[f"_default_{name}"] = field.default_factory
            default = "=_not_given"
            value = f"_default_{name}() if {name} is _not_given else {name}"
        if field.init:
            (by_name if field.kw_only else positional).append(name + default)
            body.append(f" _set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    parameters = ", ".join([*positional, *(["*"] if by_name else []), *by_name])
    # Only names of fields come into it, which are identifiers of this project's own.
    exec("\n".join([f"def __init__({parameters}):", *(body or [" pass"])]), known)
    made: Callable[..., Any] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _from_a_twin(cls: Any, name: str) -> Callable[..., Any]:
    """Return a method as the standard library makes it, for a class with the same fields."""
    twin = make_dataclass(
        cls.__name__,
        [(field.name, field.type, field) for field in fields(cls)],
        init=False,
        repr=name == "__repr__",
        eq=name != "__repr__",
        frozen=True,
    )
    made: Callable[..., Any] = vars(twin)[name]
    return made


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in fields(self)]


def _restore(self: Any, state: list[object]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
