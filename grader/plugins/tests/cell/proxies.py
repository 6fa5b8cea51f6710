"""What stands for the program's objects in the tests: proxies, and data with a handle."""

import sys
from collections.abc import Callable, Container, Iterator
from typing import Any

from grader.plugins.tests.cell.handles import Handle, handle_of
from grader.plugins.tests.cell.patterns import is_in_pattern

_DEEPEST = 20
_LOCAL = frozenset(
    {
        "__array__", "__array_interface__", "__array_struct__", "__copy__", "__deepcopy__", "__get__",
        "__signature__", "__test__", "__unittest_skip__", "__wrapped__", "pytestmark", "_is_coroutine",
        "_is_coroutine_marker", "__text_signature__", "__isabstractmethod__", "__tracebackhide__",
    }
)  # fmt: skip
"""Attributes by which pytest and the library look for more than an object has; never the program's."""


def is_local(name: str) -> bool:
    return name in _LOCAL or name.startswith(("_pytest", "__pytest", "_grader"))


class Proxy:
    """Stands for an object of the program's.  Nothing of that object runs here."""

    __slots__ = ("__weakref__", "_grader_handle")

    def __init__(self, handle: Handle) -> None:
        object.__setattr__(self, "_grader_handle", handle)

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            told = object.__getattribute__(self, "_grader_handle").described
            if told is not None and told.bases and is_in_pattern(sys._getframe(1)):
                return told.kind_in_patterns()
        if name[:2] == "__" and name not in ("__class__", "__doc__", "__reduce_ex__"):
            link = object.__getattribute__(self, "_grader_handle").link
            if link.book.believes_all and link.is_test_file(sys._getframe(1).f_code.co_filename):
                # What a test calls by this name is the program's method, and not ours.
                return link.get(self, name)
        found = object.__getattribute__(self, name)
        if found is None and type.__getattribute__(type(self), "__dict__").get(name, self) is None:
            raise AttributeError(name)
        return found

    def __getattr__(self, name: str) -> Any:
        if is_local(name):
            raise AttributeError(name)
        return handle_of(self).link.get(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        handle_of(self).link.set(self, name, value)

    def __delattr__(self, name: str) -> None:
        handle_of(self).link.delete(self, name)

    def __mro_entries__(self, _: object) -> Any:
        handle_of(self).link.cannot("a class of the program's cannot be the base of a class of the test's")

    def __contains__(self, value: object) -> bool:
        answer: bool = handle_of(self).link.contains(self, value)
        return answer

    def __bool__(self) -> bool:
        return handle_of(self).link.shown("bool", self) is True

    def __iter__(self) -> Any:
        return handle_of(self).link.items(self)

    def __copy__(self) -> Any:
        return handle_of(self).link.copied("copy", self)

    def __deepcopy__(self, _: object) -> Any:
        return handle_of(self).link.copied("deepcopy", self)

    def __reduce_ex__(self, _: object) -> Any:
        handle_of(self).link.cannot(_NO_PICKLE)

    def __enter__(self) -> Any:
        link = handle_of(self).link
        return link.call(link.get(self, "__enter__"), (), {})

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
        return handle_of(self).link.leave(self, kind, error)

    def __instancecheck__(self, value: object) -> bool:
        if not isinstance(value, Proxy | ProxyWithValue) or handle_of(value).is_stray:
            return False
        return handle_of(self).link.do("isinstance", value, self) is True

    def __subclasscheck__(self, value: object) -> bool:
        is_class = isinstance(value, Proxy) or hasattr(type(value), "stands_for_class")
        return is_class and handle_of(self).link.do("issubclass", value, self) is True

    def __format__(self, spec: str) -> str:
        return str(handle_of(self).link.shown("format", self, spec))

    def __repr__(self) -> str:
        handle = handle_of(self)
        if handle.shape in ("class", "function"):
            return handle.path[1] if handle.path else f"<{handle.type_name}>"
        return str(handle.link.shown("repr", self))


class ProxyOfCallable(Proxy):
    """Stands for an object that can be called."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return handle_of(self).link.call(self, args, kwargs)


class Documentation:
    """The docstring of an object or a class, which the program is asked for."""

    def __get__(self, value: object, kind: type) -> Any:
        holder = kind if value is None else value
        return handle_of(holder).link.get(holder, "__doc__")


def _shown(name: str) -> Callable[..., Any]:
    def method(self: Proxy, *values: Any) -> Any:
        return handle_of(self).link.shown(name, self, *values)

    return method


def _asked(name: str) -> Callable[..., Any]:
    def method(self: Proxy, *values: Any) -> Any:
        return handle_of(self).link.asked(name, self, *values)

    return method


def _binary(name: str) -> Callable[[Proxy, Any], Any]:
    def method(self: Proxy, other: Any) -> Any:
        return handle_of(self).link.operate(name, self, other)

    return method


def _reflected(name: str) -> Callable[[Proxy, Any], Any]:
    def method(self: Proxy, other: Any) -> Any:
        return handle_of(self).link.operate(name, other, self)

    return method


Proxy.__doc__ = Documentation()  # type: ignore[assignment]
_SHOWN = "str hash int float complex bytes index"
"""What an object is turned into, without being told anything."""
_TEXTS = ("str", "repr", "format")
_UNARY = "neg pos abs invert"
_ASKED = f"len reversed {_UNARY} next getitem setitem delitem dir round"
_COMPARISONS = "eq ne lt le gt ge"
_ARITHMETIC = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift divmod"
IN_PLACE = ("iadd", "isub", "imul", "itruediv", "iand", "ior", "ixor", "ifloordiv", "imod", "ipow")
for _name in _SHOWN.split():
    setattr(Proxy, f"__{_name}__", _shown(_name))
for _name in _ASKED.split():
    setattr(Proxy, f"__{_name}__", _asked(_name))
for _name in (*_COMPARISONS.split(), *IN_PLACE):
    setattr(Proxy, f"__{_name}__", _binary(_name))
for _name in _ARITHMETIC.split():
    setattr(Proxy, f"__{_name.rstrip('_')}__", _binary(_name))
    setattr(Proxy, f"__r{_name.rstrip('_')}__", _reflected(_name))
_NO_PICKLE = "an object of the program's can be pickled by the program alone"


class ProxyWithValue:
    """Data of a class of the program's, such as a named tuple or a subclass of list.

    What the data can answer is answered here, unless the reference's class defines it.
    """

    def __getattr__(self, name: str) -> Any:
        if is_local(name) or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(name)
        return handle_of(self).link.get(self, name)

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("__") and name != "_grader_handle":
            handle = handle_of(self)
            if handle.link.is_defined(handle, name):
                return handle.link.get(self, name)
            handle.link.note_plain(self, name)
        return object.__getattribute__(self, name)

    def __copy__(self) -> Any:
        return handle_of(self).link.copied("copy", self)

    def __deepcopy__(self, _: object) -> Any:
        return handle_of(self).link.copied("deepcopy", self)

    def __reduce_ex__(self, _: object) -> Any:
        handle_of(self).link.cannot(_NO_PICKLE)


def _of_dual(kind: type, member: str, name: str, *, is_reflected: bool = False) -> Callable[..., Any]:
    plain = getattr(kind, member, None)

    def method(self: ProxyWithValue, *values: Any) -> Any:
        handle = handle_of(self)
        is_known = handle.labels or handle.link.book.believes_all
        is_text = name in _TEXTS and is_known and not handle.is_stray
        if is_text or (
            handle.link.is_defined(handle, member) and handle.link.may_tell(self, member, *values)
        ):
            answer = handle.link.do(name, *((*values, self) if is_reflected else (self, *values)))
            return handle.link.heard(member, self, values[0], answer) if values else answer
        handle.link.note_plain(self, member, *values)
        if plain is not None:
            return plain(self, *values)
        if not values:
            raise TypeError(f"bad operand type for {name}: {handle.type_name!r}")
        return NotImplemented

    return method


def further_of_dual(kind: type, defined: Container[str]) -> dict[str, Callable[..., Any]]:
    """Return the methods of a class of data that its plain type lacks.  defined: what the class defines."""
    found = {f"__{name}__": _of_dual(kind, f"__{name}__", name) for name in _UNARY.split()}
    found |= {"__call__": ProxyOfCallable.__call__, "__enter__": Proxy.__enter__, "__exit__": Proxy.__exit__}
    return {name: method for name, method in found.items() if name in defined and name not in dir(kind)}


def _dual_type(kind: type) -> type:
    body: dict[str, Any] = {}
    for name in f"{_SHOWN} {_ASKED} {_COMPARISONS} bool iter repr format contains".split():
        if name not in ("next", "dir", "hash") and hasattr(kind, f"__{name}__"):
            body[f"__{name}__"] = _of_dual(kind, f"__{name}__", name)
    for name in _ARITHMETIC.split():
        for start in ("__", "__r"):
            member = f"{start}{name.rstrip('_')}__"
            body[member] = _of_dual(kind, member, name, is_reflected=start == "__r")
    body["__hash__"] = kind.__hash__
    return type(kind.__name__, (ProxyWithValue, kind), body)


_duals: dict[type, type] = {}
_MUTABLE = (list, dict, set)
IMMUTABLE = (int, float, complex, str, bytes, tuple, frozenset)


def dual_type(kind: Any) -> type | None:
    """Return the class of data of a plain type that has a handle; None if none can derive from that."""
    if kind not in (*IMMUTABLE, *_MUTABLE):
        return None
    if kind not in _duals:
        _duals[kind] = _dual_type(kind)
    return _duals[kind]


def dual_of(handle: Handle, value: Any, of: type) -> Any:
    """Return data with a handle.  of: its class, which derives from that of `dual_type`."""
    kind: Any = type(value)
    made = kind.__new__(of, value)
    if kind in _MUTABLE:
        kind.__init__(made, value)
        object.__setattr__(made, "_grader_was", value)
    object.__setattr__(made, "_grader_handle", handle)
    return made


def has_changed(value: ProxyWithValue) -> bool:
    """Tell whether the test changed data of which the program has the original."""
    was = value.__dict__.get("_grader_was")
    return was is not None and plain_of(value) != was


def plain_of(value: Any) -> Any:
    """Return the list, dict or set alone; any other value as it is."""
    if isinstance(value, dict):
        return dict(dict.items(value))
    if isinstance(value, list):
        return list(list.__iter__(value))
    return set(set.__iter__(value)) if isinstance(value, set) else value


def renew(value: ProxyWithValue, new: Any) -> None:
    """Make data what the program's object is now."""
    kind: Any = type(new)
    if kind not in _MUTABLE or not isinstance(value, kind):
        return
    kind.clear(value)
    kind.__init__(value, new)
    object.__setattr__(value, "_grader_was", new)


def objects_in(value: Any, depth: int = 0) -> Iterator[Proxy]:
    """Yield the objects of the program's in a value."""
    if isinstance(value, Proxy):
        yield value
    elif type(value) in (list, tuple, dict, set, frozenset) and depth < _DEEPEST:
        for item in (*value, *value.values()) if type(value) is dict else value:
            yield from objects_in(item, depth + 1)
