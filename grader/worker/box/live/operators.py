"""What the tests ask of an object by Python's own operators and functions, and what a class is."""

import copy
import operator
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from grader.wire.encoder import mro

BASES: tuple[tuple[type, Callable[[Any], object]], ...] = (
    (int, lambda value: int.__add__(value, 0)),
    (float, lambda value: float.__float__(value)),
    (complex, lambda value: complex.__complex__(value)),
    (str, lambda value: str.__str__(value)),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (tuple, lambda value: tuple.__getitem__(value, slice(None))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
    (list, lambda value: list.__getitem__(value, slice(None))),
    (set, lambda value: {*set.__iter__(value)}),
    (dict, lambda value: dict(dict.items(value))),
)
"""Plain types whose subclasses cross as data that also has a handle."""


def _base(value: object) -> object:
    """Return an object of such a subclass as data, without a method of the subclass."""
    found = next((plain for base, plain in BASES if any(each is base for each in mro(type(value)))), None)
    return value if found is None else found(value)


def _derives(value: object, kind: object) -> bool:
    """Tell whether an object is of a class, without a method of the class."""
    return any(each is kind for each in mro(type(value)))


def _derives_class(value: type, kind: object) -> bool:
    return any(each is kind for each in mro(value))


_SPECIAL_NAMES = (
    "enter exit iter next len contains getitem setitem delitem reversed call bool hash str repr format int"
    " float complex bytes index round neg pos abs invert eq ne lt le gt ge add sub mul truediv floordiv mod"
    " pow matmul and or xor lshift rshift divmod radd rsub rmul rtruediv rfloordiv rmod rpow rmatmul rand"
    " ror rxor rlshift rrshift rdivmod iadd isub imul itruediv ifloordiv imod ipow iand ior ixor"
)
_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType)
SPECIAL = frozenset(f"__{name}__" for name in _SPECIAL_NAMES.split(" "))
"""Methods by which Python's own syntax and functions work."""


def names_of(kind: type) -> tuple[str, str]:
    """Return the module and the qualified name of a class, whatever it says of itself."""
    try:
        module = type.__dict__["__module__"].__get__(kind)
    except AttributeError:
        module = ""
    return module if type(module) is str else "", type.__dict__["__qualname__"].__get__(kind)


def facts(kind: type) -> tuple[list[str], ...]:
    """Return what a class has in its own way of the special methods and of its base of data.

    Then come the names of which it says that it has none, and its bases by their full names.
    """
    plain = next((base for base, _ in BASES if any(each is base for each in mro(kind))), object)
    defined: dict[str, bool] = {}
    for each in mro(kind):
        if each is object or each is plain:
            break
        for name, value in type.__dict__["__dict__"].__get__(each).items():
            if name in SPECIAL or (plain is not object and name in dir(plain)):
                # `__hash__ = None` is said of what a class does not have.
                defined.setdefault(name, value is not None)
    bases = [".".join(names_of(each)) for each in mro(kind) if each is not object]
    own = [name for name, is_there in defined.items() if is_there]
    return own, [name for name, is_there in defined.items() if not is_there], bases


def shape_of(value: object) -> str:
    """Return what an object is: a class, a module, a function, or any other object."""
    kind = type(value)
    if any(base is type for base in mro(kind)):
        return "class"
    if kind is ModuleType:
        return "module"
    return "function" if any(kind is each for each in _FUNCTIONS) else "object"


OPERATORS: dict[str, Callable[..., object]] = {
    **{name: getattr(operator, name) for name in (
        "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "truediv", "floordiv", "mod", "pow",
        "matmul", "and_", "or_", "xor", "lshift", "rshift", "neg", "pos", "abs", "invert", "index",
        "getitem", "setitem", "delitem", "contains", "iadd", "isub", "imul", "itruediv", "iand", "ior",
        "ixor", "ifloordiv", "imod", "ipow",
    )},
    **{value.__name__: value for value in (
        len, iter, next, reversed, bool, str, repr, hash, int, float, complex, bytes, round, format, dir,
        isinstance, issubclass, divmod, copy.copy, copy.deepcopy,
    )},
    "base": _base,
    "derives": _derives,
    "derives_class": _derives_class,
}  # fmt: skip
