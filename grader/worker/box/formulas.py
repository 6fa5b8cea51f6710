"""Computes a call that is more than a function with data, inside the box; see `grader.model.formula`.

The grammar is closed: a tree holds names, attributes, calls, operators and data, and no code.  All that it
computes is the student's word, as with any call: `a == b` is whatever the `__eq__` of `a` says.
"""

import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

from grader.wire import library_values
from grader.wire.codec import GOES_ON, MOST_TAKEN, TooLarge
from grader.worker.box.iterating import telling
from grader.worker.box.records import Absent

Node = tuple[str, str, Sequence[Any]]
"""Kind, text and parts."""

_OPERATORS: dict[str, Callable[..., object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "is": operator.is_, "is not": operator.is_not, "not": operator.not_,
    "in": lambda item, holder: item in holder, "not in": lambda item, holder: item not in holder,
    "-x": operator.neg, "+x": operator.pos, "~x": operator.invert, "[]": operator.getitem,
}  # fmt: skip
_BUILT_IN = (
    abs, all, any, bin, bool, bytes, callable, chr, complex, dict, divmod, enumerate, filter, float,
    format, frozenset, hasattr, hash, hex, int, isinstance, issubclass, iter, len, list, map, max, min,
    next, oct, ord, pow, range, repr, reversed, round, set, sorted, str, sum, tuple, type, zip,
)  # fmt: skip
_PYTHON: dict[str, Any] = {each.__name__: each for each in _BUILT_IN} | {"None": None}
_PYTHON["isinstance"] = lambda value, kind: issubclass(type(value), kind)
# An object can lie about its `__class__`.
BUILT_IN = frozenset(_PYTHON) - {"None"}
"""The names of Python's that a formula can use, besides classes of the standard library."""
_TAKING = frozenset({all, any, dict, frozenset, list, max, min, set, sorted, sum, tuple})
"""Functions that take all items of their first argument."""
_FINITE = frozenset({bytes, dict, frozenset, list, set, str, tuple})


class Formula:
    """A formula over a module; called with the data of its slots, it returns its value.

    kept: returns the object of that name that an earlier step made.
    """

    __slots__ = ("_it", "_kept", "_module", "_node", "_slots", "looks")

    def __init__(self, module: ModuleType, node: Node, kept: Callable[[str], object] | None = None) -> None:
        self._module = module
        self.looks: Sequence[Node] = ()
        if node[0] == "reads":
            node, *self.looks = node[2]
        self._node = node
        self._kept = kept
        self._slots: Sequence[object] = ()
        self._it: object = None

    def require(self) -> None:
        """Raise `Absent` for a name that the module lacks."""
        for name in _names(self._node):
            try:
                found = hasattr(self._module, name)
            except BaseException:
                # The module can have a `__getattr__` of its own.
                found = False
            if not found:
                raise Absent(name)

    def __call__(self, *slots: object) -> object:
        """Return the value.  Raises what the student's code raises, and `TooLarge`."""
        self._slots = slots
        return self._value(self._node)

    def read(self, value: object) -> object:
        """Return what is read of the value: the value itself, or a dict of data by its texts."""
        if not self.looks:
            return value
        self._it = value
        return {text: self._value(parts[0]) for _, text, parts in self.looks}

    def _value(self, node: Node) -> Any:
        kind, text, parts = node
        if kind == "slot":
            return self._slots[int(text)]
        if kind == "module":
            return getattr(self._module, text)
        if kind == "python":
            return _PYTHON[text] if text in _PYTHON else library_values.named_in(text)[text]
        if kind == "package":
            return sys.modules[text]
        if kind == "kept" and self._kept is not None:
            return self._kept(text)
        if kind == "it":
            return self._it
        if kind in ("set", "delete"):
            return self._change(parts[0], parts[1:])
        values = [self._value(part) for part in parts]
        if kind == "attribute":
            return getattr(values[0], text)
        if kind == "call":
            return self._call(text.split(), *values)
        if kind == "operator":
            return _OPERATORS[text](*values)
        if kind == "dict":
            return dict(zip(values[::2], values[1::2], strict=True))
        return _MAKE[kind](values)

    def _call(self, names: Sequence[str], function: Any, *values: Any) -> object:
        plain = [*values[: len(values) - len(names)]]
        named = dict(zip(names, values[len(plain) :], strict=True))
        # `min` and `max` of several arguments take no items.
        takes_items = len(plain) == 1 or function is _PYTHON["sum"]
        if plain and takes_items and any(function is each for each in _TAKING):
            is_mapping = function is _PYTHON["dict"] and hasattr(plain[0], "keys")
            plain = plain if is_mapping else [_bounded(plain[0]), *plain[1:]]
        return telling(function)(*plain, **named)

    def _change(self, holder: Node, value: Sequence[Node]) -> None:
        """Set an attribute or an item, or delete it if there is no value."""
        kind, text, parts = holder
        new = [self._value(each) for each in value]
        where = [self._value(part) for part in parts]
        if kind == "attribute":
            where.append(text)
        operate: Any = _CHANGE[kind == "attribute", bool(new)]
        operate(*where, *new)


_CHANGE = {
    (True, True): setattr,
    (True, False): delattr,
    (False, True): operator.setitem,
    (False, False): operator.delitem,
}
_MAKE: dict[str, Callable[[list[Any]], object]] = {
    "list": list,
    "tuple": tuple,
    "items": set,
    "slice": lambda values: slice(*values),
}


def _names(node: Node) -> Iterator[str]:
    if node[0] == "module":
        yield node[1]
    for part in node[2]:
        yield from _names(part)


def _bounded(items: Any) -> Any:
    """Return an iterator that raises `TooLarge` after too many items; a container of Python's as it is."""
    kind = type(items)
    return items if any(kind is each for each in _FINITE) else _taken(iter(items))


def _taken(items: Iterator[object]) -> Iterator[object]:
    left = MOST_TAKEN
    for item in items:
        left -= 1
        if left < 0:
            raise TooLarge(GOES_ON)
        yield item
