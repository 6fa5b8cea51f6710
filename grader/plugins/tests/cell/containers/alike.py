"""Whether two containers are one to the tests: the program says so, and both copies of it are believed alike.

What lies in a container is believed by the way by which it came.  If a program says that the numbers which it
answers are the list of objects that the tests have, then its objects would stand where only data counts.
"""

from typing import Any

from grader.plugins.tests.cell.book import Book, Sources
from grader.plugins.tests.cell.handles import handle_of
from grader.plugins.tests.cell.proxies import Proxy, ProxyWithValue
from grader.wire import library_values
from grader.wire.containers import MUTABLE, content_of

_DATA = "."
_ATOMS = frozenset({type(None), bool, int, float, complex, str, bytes, bytearray})


class Alike:
    """Compares what is believed in containers that do not change meanwhile; looks through each once."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._texts: dict[int, str] = {}
        """By identity."""
        self._numbers: dict[str, str] = {}
        self._alive: list[Any] = []
        """What was looked at, so that nothing new gets the identity of it."""

    def are_one(self, one: Any, ways: Sources, other: Any, other_ways: Sources) -> bool:
        """Tell whether containers are one that came by these ways."""
        if one is other:
            return True
        if type(one) is not type(other) or type(one) not in MUTABLE or self._book.differ(ways, other_ways):
            return False
        try:
            return self._text(one) == self._text(other)
        except RecursionError:
            return False

    def _text(self, value: Any) -> str:
        """Return a text that tells where a value has which of the program's objects, and the rest is data."""
        kind = type(value)
        if kind in _ATOMS:
            return _DATA
        if isinstance(value, Proxy | ProxyWithValue):
            handle = handle_of(value)
            return f"<stray {handle.number}>" if handle.is_stray else f"<{id(value)}>"
        if id(value) not in self._texts:
            self._alive.append(value)
            # In itself it is no data.
            self._texts[id(value)] = f"<{id(value)}>"
            self._texts[id(value)] = self._text_of_container(value)
        return self._texts[id(value)]

    def _text_of_container(self, value: Any) -> str:
        kind = type(value)
        if kind in MUTABLE:
            content = content_of(value)
        elif kind is tuple or kind is frozenset:
            content = [*value]
        else:
            found = library_values.parts_of(value)
            if found is None:
                return _DATA
            content = [*found[1]]
        if _ATOMS.issuperset(map(type, content)):
            return f"{kind.__name__} of {len(content)}"
        parts = [*map(self._text, content)]
        if kind is set or kind is frozenset:
            parts.sort()
        text = f"{kind.__name__}({','.join(parts)})"
        return self._numbers.setdefault(text, f"#{len(self._numbers)}")
