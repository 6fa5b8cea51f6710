"""What stands for the program's objects in the tests: proxies, data with a handle, exceptions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_LOCAL = frozenset(
    {
        "__array__", "__array_interface__", "__array_struct__", "__copy__", "__deepcopy__", "__get__",
        "__signature__", "__test__", "__unittest_skip__", "__wrapped__", "pytestmark", "_is_coroutine",
        "_is_coroutine_marker", "__text_signature__", "__isabstractmethod__", "__tracebackhide__",
    }
)  # fmt: skip
"""Attributes by which pytest and the library look for more than an object has; never the program's."""


@dataclass(eq=False, slots=True)
class Handle:
    """An object in the program's process.

    process: the number of the process.  number: the object's.  shape: class, function, module or object.
    classes: its class and the bases of that, by the names that the program's modules have for them.
    path: the module and the name under which it is found in every process.
    is_class: a class, and the tests got it under a name for a class.
    """

    link: Any
    process: int
    number: int
    type_name: str
    shape: str
    classes: tuple[str, ...]
    path: tuple[str, str] | None = None
    is_class: bool = False


def handle_of(proxy: "Proxy | Dual") -> Handle:
    handle: Handle = object.__getattribute__(proxy, "_grader_handle")
    return handle


def _is_local(name: str) -> bool:
    return name in _LOCAL or name.startswith(("_pytest", "__pytest", "_grader"))


class Proxy:
    """Stands for an object of the program's.  Nothing of that object runs here."""

    __slots__ = ("__weakref__", "_grader_handle")

    def __init__(self, handle: Handle) -> None:
        object.__setattr__(self, "_grader_handle", handle)

    def __getattr__(self, name: str) -> Any:
        if _is_local(name):
            raise AttributeError(name)
        return handle_of(self).link.get(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        handle_of(self).link.set(self, name, value)

    def __delattr__(self, name: str) -> None:
        handle_of(self).link.delete(self, name)

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        return handle_of(self).link.get(self, "__doc__")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return handle_of(self).link.call(self, args, kwargs)

    def __contains__(self, value: object) -> bool:
        answer: bool = handle_of(self).link.contains(self, value)
        return answer

    def __bool__(self) -> bool:
        return handle_of(self).link.do("bool", self) is True

    def __iter__(self) -> Any:
        return handle_of(self).link.do("iter", self)

    def __enter__(self) -> Any:
        link = handle_of(self).link
        return link.call(link.get(self, "__enter__"), (), {})

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
        link = handle_of(self).link
        if link.is_verdict(error):
            # The test has failed.  The program could swallow that, and would read what was expected.
            return False
        return link.call(link.get(self, "__exit__"), (kind, error, None), {})

    def __instancecheck__(self, value: object) -> bool:
        if not isinstance(value, Proxy | Dual):
            return False
        return handle_of(self).link.do("isinstance", value, self) is True

    def __subclasscheck__(self, value: object) -> bool:
        return isinstance(value, Proxy) and handle_of(self).link.do("issubclass", value, self) is True

    def __format__(self, spec: str) -> str:
        return str(handle_of(self).link.do("format", self, spec))

    def __repr__(self) -> str:
        handle = handle_of(self)
        if handle.shape in ("class", "function"):
            return handle.path[1] if handle.path else f"<{handle.type_name}>"
        return str(handle.link.do("repr", self))


def _done(name: str) -> Callable[..., Any]:
    def method(self: Proxy, *values: Any) -> Any:
        return handle_of(self).link.do(name, self, *values)

    return method


def _binary(name: str) -> Callable[[Proxy, Any], Any]:
    def method(self: Proxy, other: Any) -> Any:
        return handle_of(self).link.operate(name, self, other)

    return method


def _reflected(name: str) -> Callable[[Proxy, Any], Any]:
    def method(self: Proxy, other: Any) -> Any:
        return handle_of(self).link.operate(name, other, self)

    return method


_DONE = "len str hash int float complex bytes reversed neg pos abs invert index"
_DONE += " next getitem setitem delitem dir round"
_COMPARISONS = "eq ne lt le gt ge"
_ARITHMETIC = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift divmod"
_IN_PLACE = "iadd isub imul itruediv iand ior ixor ifloordiv imod ipow"
for _name in _DONE.split():
    setattr(Proxy, f"__{_name}__", _done(_name))
for _name in (_COMPARISONS + " " + _IN_PLACE).split():
    setattr(Proxy, f"__{_name}__", _binary(_name))
for _name in _ARITHMETIC.split():
    setattr(Proxy, f"__{_name.rstrip('_')}__", _binary(_name))
    setattr(Proxy, f"__r{_name.rstrip('_')}__", _reflected(_name))


class Dual:
    """Data of a class of the program's, such as a named tuple: compared here, with attributes there."""

    def __getattr__(self, name: str) -> Any:
        if _is_local(name) or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(name)
        return handle_of(self).link.get(self, name)


_duals: dict[type, type] = {}


def dual_of(handle: Handle, value: Any) -> Any:
    """Return data with a handle; None if a class cannot derive from its type."""
    kind = type(value)
    if kind not in (int, float, complex, str, bytes, tuple, frozenset):
        return None
    if kind not in _duals:
        _duals[kind] = type(kind.__name__, (Dual, kind), {})
    made = kind.__new__(_duals[kind], value)
    object.__setattr__(made, "_grader_handle", handle)
    return made


class Exceptions:
    """Classes that stand for the exceptions of the program's, so that `pytest.raises` takes them."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, tuple[type, ...]], type] = {}
        self._handles: dict[int, Handle] = {}

    def kind(self, handle: Handle, bases: list[Any]) -> type:
        """Return the class for one of the program's; the same in each process."""
        usable = tuple(base for base in bases if isinstance(base, type)) or (Exception,)
        if not any(issubclass(base, BaseException) for base in usable):
            usable = (Exception,)
        key = handle.type_name, usable
        if key not in self._kinds:
            body = {"__getattr__": _attribute, "__str__": _text, "__module__": "program"}
            try:
                self._kinds[key] = type(handle.type_name, usable, body)
            except TypeError:
                self._kinds[key] = type(handle.type_name, (Exception,), body)
        kind = self._kinds[key]
        self._handles[id(kind)] = handle
        return kind

    def made(self, kind: Any, args: list[Any], text: str, handle: Handle | None) -> BaseException:
        """Return an exception as the program raised it."""
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            kind = Exception
        try:
            made: BaseException = kind(*args)
        except Exception:
            made = _empty(kind) or RuntimeError(text)
            made.args = tuple(args)
        if id(kind) in self._handles:
            made.__dict__["_grader_text"] = text
            made.__dict__["_grader_handle"] = handle
        return made

    def handle_of(self, value: Any) -> Handle | None:
        """Return the handle of a class or an exception of the program's; None for any other value."""
        if isinstance(value, type):
            return self._handles.get(id(value))
        if isinstance(value, BaseException):
            handle: Handle | None = value.__dict__.get("_grader_handle")
            return handle
        return None


def _empty(kind: type[BaseException]) -> BaseException | None:
    """Return an exception that was not initialised; None if its class cannot make one."""
    try:
        return kind.__new__(kind) if issubclass(kind, Exception) else None
    except Exception:
        return None


def _attribute(self: BaseException, name: str) -> Any:
    handle = self.__dict__.get("_grader_handle")
    if handle is None or _is_local(name) or name.startswith("__"):
        raise AttributeError(name)
    return handle.link.get(self, name)


def _text(self: BaseException) -> str:
    text = self.__dict__.get("_grader_text")
    return text if text is not None else BaseException.__str__(self)
