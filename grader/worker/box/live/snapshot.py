"""What containers hold at one moment, to be asked later whether they hold the same.

A test's callback can be called thousands of times, and each time all is compared.  So this goes by the
identity of what lies in a container; it goes by bytes only where something in it can change otherwise.
"""

from collections.abc import Callable, Sequence
from operator import is_
from types import BuiltinFunctionType, FunctionType, MethodType, NoneType
from typing import Any

from grader.wire import library_values
from grader.wire.containers import content_of, is_mutable, views_of
from grader.wire.encoder import mro
from grader.worker.box import arrays

_FLAT = frozenset(
    {bool, int, float, complex, str, bytes, NoneType, range, FunctionType, BuiltinFunctionType, MethodType}
)
"""Types of what never changes for the tests."""
_HEAP_TYPE = 1 << 9
"""`Py_TPFLAGS_HEAPTYPE` of CPython: classes that a program made have it, and those of data have not."""
_flags_of: Callable[[type], int] = type.__dict__["__flags__"].__get__

_Contents = list[tuple[Any, list[list[Any]]]]


class Snapshot:
    """What values hold now, with all that lies in them.

    encoded: returns a value as bytes.  is_apart: tells of a container in them that it is none of theirs.
    """

    def __init__(
        self,
        values: Sequence[Any],
        encoded: Callable[[object], bytes],
        is_apart: Callable[[object], bool] = lambda _: False,
    ) -> None:
        self._values = values
        self._encode = encoded
        self._contents = _contents(values, is_apart)
        self._encoded = encoded(values) if self._contents is None else None

    def is_now(self) -> bool:
        """Tell whether they hold the same."""
        if self._contents is None:
            return self._encode(self._values) == self._encoded
        for each, content in self._contents:
            if len(each) != len(content[0]):
                return False
            for part, before in zip(views_of(each), content, strict=True):
                if not all(map(is_, part, before)):
                    return False
        return True

    def containers(self) -> frozenset[int]:
        """Return the identities of the containers in them, as far as they go by identity."""
        return frozenset(id(each) for each, _ in self._contents or ())


def _contents(values: Sequence[Any], is_apart: Callable[[object], bool]) -> _Contents | None:
    """Return all containers in values with what each holds.

    None where something in them can change without another one taking its place.
    """
    found: _Contents = []
    seen: set[int] = set()
    waiting: list[Any] = [*values]
    if any(map(_can_change_within, waiting)):
        return None
    while waiting:
        outer = waiting.pop()
        if is_mutable(outer):
            found.append((outer, [[*part] for part in views_of(outer)]))
        elif type(outer) is not tuple:
            continue
        content = content_of(outer)
        if _FLAT.issuperset(map(type, content)):
            continue
        for one in content:
            if _can_change_within(one):
                return None
            if (type(one) is tuple or is_mutable(one)) and id(one) not in seen and not is_apart(one):
                seen.add(id(one))
                waiting.append(one)
    return found


def _can_change_within(value: object) -> bool:
    """Tell whether a value is neither flat, nor a container, nor an object of a plain class.

    The tests have such an object as a handle, whatever becomes of it.
    """
    kind = type(value)
    if kind in _FLAT or kind is tuple or is_mutable(value):
        return False
    is_plain = all(base is object or _flags_of(base) & _HEAP_TYPE for base in mro(kind))
    return not is_plain or library_values.is_data(value) or arrays.plain(value) is not arrays.NOT_PLAIN
