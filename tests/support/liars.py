"""Classes that derive from plain types and lie wherever a class can lie.

What is built here holds an honest value inside; whoever asks the object itself hears lies.
"""

from collections.abc import Iterator
from typing import Any, NoReturn


class Noise(BaseException):
    """Raised by whatever should not have been called."""


def _loud(*_: object, **__: object) -> NoReturn:
    raise Noise


_TOO_BASIC = {"__new__", "__init__", "__init_subclass__", "__class_getitem__", "__subclasshook__"}
_ALSO = ("__bool__", "__index__", "__int__", "__float__", "__complex__", "__bytes__", "__iter__", "__len__")


class LyingMeta(type):
    """A metaclass that denies its classes' bases and claims to be equal to everything."""

    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return hash(int)

    def __instancecheck__(cls, instance: object) -> bool:
        return True

    def __subclasscheck__(cls, subclass: type) -> bool:
        return True

    def __getattribute__(cls, name: str) -> Any:
        if name in ("__mro__", "__bases__", "__base__"):
            return (object,)
        if name == "__name__":
            return "int"
        return super().__getattribute__(name)


def liar(base: type, claimed: type = str) -> type:
    """Return a subclass of `base` all of whose special methods raise, and that claims another class."""
    names = {name for name in dir(base) if name.startswith("__")} | {*_ALSO} | {"items", "keys", "values"}
    body: dict[str, object] = dict.fromkeys(names - _TOO_BASIC, _loud)
    for name in ("__dict__", "__slots__", "__doc__", "__weakref__", "__module__", "__dir__"):
        body.pop(name, None)
    body["__class__"] = property(lambda _: claimed)
    body["__del__"] = lambda _: None
    return LyingMeta(f"Lying{base.__name__}", (base,), body)


def true_lie(base: type, value: Any) -> Any:
    """Return an instance of a lying subclass of `base` that holds `value`."""
    kind: Any = liar(base)
    if base in (list, set, dict):
        instance = base.__new__(kind)
        fill: Any = {list: list.extend, set: set.update, dict: dict.update}[base]
        fill(instance, value)
        return instance
    return base.__new__(kind, value)


def all_liars() -> Iterator[tuple[Any, object]]:
    """Yield lying instances, each with the plain value that it really holds."""
    numbers: list[object] = [0, 127, 128, -1, 2**70, -(2**70), 0.0, -2.5, float("inf"), 1 + 2j]
    texts: list[object] = ["", "text", "\ud800", b"", b"bytes"]
    containers: list[object] = [
        [],
        [1, [2]],
        (),
        (1, "a"),
        set(),
        {1, "a"},
        frozenset({1, (2, 3)}),
        {},
        {"a": [1]},
    ]
    for value in (*numbers, *texts, *containers):
        yield true_lie(type(value), value), value
