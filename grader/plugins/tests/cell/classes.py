"""Classes that stand for the program's, so that `type(x)` in a test is what it is beside the program.

A class of the program's is one class in the tests: what stands for its objects is of it, and the module's
name leads to it.  Its names are the program's word.  Where not everything is believed they count only if the
reference has a class of that name, or an object of such a class at the same place; see `Book`.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import CO_OPTIMIZED
from typing import Any

from grader.plugins.tests.cell.handles import Handle, handle_of
from grader.plugins.tests.cell.patterns import known_classes, take_for_collection
from grader.plugins.tests.cell.proxies import (
    IMMUTABLE,
    Documentation,
    Proxy,
    ProxyOfCallable,
    ProxyWithValue,
    dual_type,
    further_of_dual,
    is_local,
)

_NAMES = frozenset({"__name__", "__qualname__", "__module__"})
_OURS = _NAMES | {"__class__", "__doc__"}
PATCHING = frozenset({"_pytest.monkeypatch", "unittest.mock"})
"""Modules of which each looks into a class for what it will put back."""
_NO_BASE = "a class of the program's cannot be the base of a class of the test's"
_ABILITIES = frozenset(
    f"__{name}__" for name in ("iter", "next", "len", "contains", "reversed", "enter", "exit")
)
"""Methods that no object has without defining them."""
_BY_OTHERS = {
    "__iter__": ({"__getitem__"},),
    "__contains__": ({"__iter__"}, {"__getitem__"}),
    "__reversed__": ({"__getitem__", "__len__"},),
}
"""Which other methods Python uses where one of these is not defined."""
_PLAIN: Mapping[str, type] = {kind.__name__: kind for kind in IMMUTABLE}


@dataclass(frozen=True, slots=True)
class Described:
    """What the program says of a class.

    path: the module and the name under which it is found in every process; empty if it is not.
    base: the type of data that it derives from, as a text; "" for none.
    own: what it defines of Python's special methods, and of what its base of data has.
    absent: what of these it says not to have.  bases: the full names of its classes.
    All three are empty where not everything is believed.
    """

    number: int
    module: str
    qualified: str
    path: tuple[str, ...]
    base: str
    own: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    bases: frozenset[str] = frozenset()

    @classmethod
    def of(cls, node: Sequence[Any]) -> "Described":
        number, module, qualified, path, base = node
        return cls(number, module, qualified, tuple(path), base)

    def kind_in_patterns(self) -> type:
        """Return the class of the library that its objects are of, for `case list():`."""
        return max(known_classes(self.bases), key=lambda kind: len(kind.__mro__), default=object)


class ProxyClass(type):
    """The class of a class that stands for one of the program's: what is done to it is done there."""

    stands_for_class = True

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any], **_: object) -> "ProxyClass":
        """Return a class of the test's that derives from one of the program's: each use of it is refused."""
        above = handle_of(next(base for base in bases if isinstance(base, ProxyClass)))
        frame = sys._getframe(1)
        if above.link.book.believes_all and frame.f_code.co_flags & CO_OPTIMIZED:
            # A function makes it: a class that is made is what the program may look at.
            above.link.cannot(_NO_BASE)
        handle = Handle(above.link, -1, -1, name, "class", refused=_NO_BASE)
        return type.__new__(cls, name, bases, {**body, "_grader_class": handle, "__test__": False})

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any], **_: object) -> None:
        super().__init__(name, bases, body)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return handle_of(cls).link.call(cls, args, kwargs)

    def __getattribute__(cls, name: str) -> Any:
        if name[:2] == "__" and (name in _NAMES or name not in _OURS):
            handle = type.__getattribute__(cls, "_grader_class")
            frame = sys._getframe(1)
            if handle.link.is_test_file(frame.f_code.co_filename):
                if name not in _NAMES:
                    return handle.link.get(cls, name)
                _check_names(handle)
            elif name == "__dict__" and frame.f_globals.get("__name__") in PATCHING:
                return Names(cls, partial(handle.link.get, cls))
            elif name == "__signature__" and handle.link.is_asked_by_test(frame):
                handle.link.cannot(
                    f"the test asks for the signature of {handle.type_name}, which cannot cross"
                )
        return type.__getattribute__(cls, name)

    def __getattr__(cls, name: str) -> Any:
        if is_local(name):
            raise AttributeError(name)
        return handle_of(cls).link.get(cls, name)

    def __setattr__(cls, name: str, value: object) -> None:
        handle_of(cls).link.set(cls, name, value)

    def __delattr__(cls, name: str) -> None:
        handle_of(cls).link.delete(cls, name)

    def __instancecheck__(cls, value: object) -> bool:
        handle = handle_of(cls)
        if handle.refused:
            return type.__instancecheck__(cls, value)
        is_object = isinstance(value, Proxy | ProxyWithValue) and not handle_of(value).is_stray
        if not is_object and not handle.link.is_own_exception(value):
            return False
        return handle.link.do("isinstance", value, cls) is True

    def __subclasscheck__(cls, value: object) -> bool:
        is_class = isinstance(value, ProxyClass) and not handle_of(value).refused
        if not is_class and not handle_of(cls).link.is_own_exception(value):
            return isinstance(value, type) and type.__subclasscheck__(cls, value)
        return handle_of(cls).link.do("issubclass", value, cls) is True

    def __bool__(cls) -> bool:
        return True

    def __iter__(cls) -> Any:
        return handle_of(cls).link.items(cls)

    def __len__(cls) -> Any:
        return handle_of(cls).link.asked("len", cls)

    def __reversed__(cls) -> Any:
        return handle_of(cls).link.asked("reversed", cls)

    def __getitem__(cls, key: Any) -> Any:
        return handle_of(cls).link.asked("getitem", cls, key)

    def __contains__(cls, value: object) -> bool:
        return handle_of(cls).link.contains(cls, value) is True

    def __dir__(cls) -> Any:
        return handle_of(cls).link.asked("dir", cls)

    def __repr__(cls) -> str:
        handle = handle_of(cls)
        if handle.link.is_test_file(sys._getframe(1).f_code.co_filename):
            _check_names(handle)
        if handle.link.book.believes_all and not handle.refused:
            # Such as `<enum 'Color'>`.
            return str(handle.link.do("repr", cls))
        return f"<class '{cls.__module__}.{cls.__qualname__}'>"


class Names(Mapping[str, Any]):
    """The names of a class or a module of the program's, with what they stand for.

    of: the class or the module.  get: returns what one of its names stands for.
    """

    def __init__(self, of: object, get: Callable[[str], Any]) -> None:
        self._of, self._get = of, get

    def __getitem__(self, name: str) -> Any:
        try:
            return self._get(name)
        except AttributeError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(dir(self._of))

    def __len__(self) -> int:
        return len(dir(self._of))


Stand = Proxy | ProxyWithValue | ProxyClass
"""What stands for an object or a class of the program's."""


def _check_names(handle: Handle) -> None:
    """Refuse the names of a class if the reference does not have an object of such a class there."""
    if handle.is_stray:
        text = (
            f"the answer is an object of type {handle.type_name}, which the reference does not have there,"
            " and is asked for the name of its class"
        )
        handle.link.refuse(text)


class Classes:
    """The classes that stand for the program's.

    Those that have a name in a module stay the same in each process, as the module's name for them does.
    """

    def __init__(self, link: Any) -> None:
        self._link = link
        self._lasting: dict[tuple[Any, ...], type] = {}
        self._passing: dict[tuple[Any, ...], type] = {}

    def forget(self) -> None:
        """Forget the classes of a process that has ended."""
        self._passing.clear()

    def named(self, told: Described, path: tuple[str, str], *, is_class: bool, plain: type | None) -> type:
        """Return the class that the program's module has under a name.

        Two names of one class are one class here too, unless they are two classes for the reference.
        """
        if self._link.book.believes_all and told.path:
            path = (told.path[0], told.path[1])
        return self._class(told, path, plain, is_class=is_class, is_stray=False)

    def of(self, told: Described, *, plain: type | None, agrees: bool, is_class: bool) -> type:
        """Return the class of an object, or one that the program answers with.

        plain: the type of data that its objects are.  agrees: its names are believed.
        is_class: what it makes was made by the test.
        """
        return self._class(told, told.path, plain, is_class=is_class, is_stray=not agrees)

    def layout(self, told: Described) -> type | None:
        """Return the type of data that objects of a class are in the tests; None if they are none."""
        book = self._link.book
        name = told.path[1] if told.path else told.qualified.rpartition(".")[2]
        return None if book.are_objects((name,) if name in book.classes else ()) else _PLAIN.get(told.base)

    def _class(
        self, told: Described, path: tuple[str, ...], plain: type | None, *, is_class: bool, is_stray: bool
    ) -> type:
        key = (path or told.number, plain, is_stray)
        known = self._lasting if path else self._passing
        if key not in known:
            known[key] = self._made(told, path, plain, is_class=is_class, is_stray=is_stray)
        return known[key]

    def _made(
        self, told: Described, path: tuple[str, ...], plain: type | None, *, is_class: bool, is_stray: bool
    ) -> type:
        name = told.qualified.rpartition(".")[2]
        link = self._link
        believes = link.book.believes_all
        # What a class lacks is never its gain.  A stray is asked for all, and refused.
        facts = link.facts_of(told.number) if believes or not is_stray else {}
        if believes:
            told = replace(told, **facts)
        handle = Handle(
            link, link.process, told.number, name, "class",
            is_class=is_class, is_stray=is_stray, described=told,
        )  # fmt: skip
        if path:
            handle.path = path[0], path[1]
        base: type = ProxyOfCallable if not facts or "__call__" in facts["own"] else Proxy
        if plain is not None:
            base = dual_type(plain) or base
        body: dict[str, Any] = {
            "__module__": told.module, "__qualname__": told.qualified, "__doc__": Documentation(),
            "__slots__": (), "__test__": False, "_grader_class": handle,
        }  # fmt: skip
        if plain is not None:
            del body["__slots__"]
            if believes or not is_stray:
                body |= further_of_dual(plain, told.own or self._link.book.own_of(name))
        elif facts and not told.base:
            # Python and the library ask for these, to see what an object can do.
            body |= dict.fromkeys(_ABILITIES - _able(facts["own"]) | facts["absent"])
        made: type = type.__new__(ProxyClass, name, (base,), body)
        if plain is None and not known_classes([f"{told.module}.{told.qualified}"]):
            take_for_collection(made, told.bases)
        return made


def _able(own: frozenset[str]) -> frozenset[str]:
    """Return the methods that objects answer to whose class defines some itself."""
    others = (name for name, ways in _BY_OTHERS.items() if any(way <= own for way in ways))
    return own.union(others)
