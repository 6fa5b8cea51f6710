"""The question after a yes: whether the program's operator can say no as well.

Every operation passes `Controlled.do`, whoever asks for it, so no operator goes without its control question.
"""

import io
import sys
from collections.abc import Sequence
from typing import Any

from _pytest.outcomes import OutcomeException

from grader.plugins.tests.cell.book import Book, Sources
from grader.plugins.tests.cell.classes import ProxyClass, Stand
from grader.plugins.tests.cell.clock import TimedOut
from grader.plugins.tests.cell.crossing import Marshaller, Node
from grader.plugins.tests.cell.handles import handle_of
from grader.plugins.tests.cell.proxies import Proxy

SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in"}
_EXACT = {"isinstance": "derives", "issubclass": "derives_class"}
"""What tells the same of a class without asking its own methods."""
_CONTROLLED = _SIGNS.keys() | _EXACT.keys()
_LONGEST_SOURCE = 300
_TOKEN = "\x1f no answer is equal to this \x1f"
"""What nothing is equal to."""


class UnfitTest(TypeError):
    """An object of the program's stands where data is compared."""


class Controlled(Marshaller):
    """Asks the program for operations, and does not take a yes from an operator that cannot say no."""

    def __init__(self, files: Sequence[str], book: Book) -> None:
        self.unfit: UnfitTest | None = None
        """Why the present test cannot pass, also if it caught the exception that said so."""
        self.answers = 0
        """Operations that the program answered in the present test."""
        super().__init__(files, book)

    def _forget(self) -> None:
        super()._forget()
        self._controlled: set[tuple[str, tuple[str, ...]]] = set()
        """Operators of classes that were seen to be able to say no."""

    def _sent(self, operation: Node, sources: Sources = (), given: Sequence[Any] = ()) -> Any:
        raise NotImplementedError

    def _note(self, text: str) -> UnfitTest:
        """Note why the test cannot pass."""
        self.unfit = self.unfit or UnfitTest(text)
        return self.unfit

    def do(self, name: str, *values: object) -> Any:
        """Return the result of an operator or a function of Python's, as the program says."""
        holder = next((value for value in values if isinstance(value, Stand)), None)
        keys = self._keys(holder)
        operation = ["do", name, [self.node(value) for value in values]]
        if name == "next" and isinstance(holder, Proxy):
            return self._sent(operation, joined(handle_of(holder).sources, ".next"), values)
        value = self._sent(operation, joined(keys, f".__{name}__()"), values)
        self.book.note_asked(keys, f"__{name.rstrip('_')}__")
        # Whatever is no plain no can pass an `assert`.
        if name in _CONTROLLED and value is not False and not self.book.believes_all:
            self._control(name, *values)
        return value

    def _keys(self, holder: object) -> Sources:
        """Return the names by which the members of an object are found in the book."""
        if not isinstance(holder, Stand):
            return ("error",) if isinstance(holder, BaseException) else ()
        handle = handle_of(holder)
        return (handle.path[1],) if handle.is_class and handle.path else handle.keys

    def _control(self, name: str, left: Any, right: Any) -> None:
        """Note that an operator says yes to what it cannot say yes to."""
        if name in _EXACT:
            keys = self._keys(right)
            if not self._says(_EXACT[name], left, right) and self.book.is_odd(f"{name} {keys}"):
                kind = handle_of(right).type_name if isinstance(right, ProxyClass) else "its class"
                self._note(f"`{name}` of {kind} says yes to what does not derive from it")
            return
        keys = self._keys(left) or self._keys(right)
        if (name, keys) in self._controlled:
            return
        # Once in a test: how a class compares does not change from one pair to the next.
        self._controlled.add((name, keys))
        if self._is_lie(name, left, right) and self.book.is_odd(f"{name} {keys}"):
            holder = left if isinstance(left, Stand) else right
            self._note(f"`{_SIGNS[name]}` of {handle_of(holder).type_name} says yes to everything")

    def _is_lie(self, name: str, left: Any, right: Any) -> bool:
        if name in ("eq", "contains"):
            return (
                self._says(name, left, _TOKEN) if isinstance(left, Stand) else self._says(name, _TOKEN, right)
            )
        if name == "ne":
            return self._says(name, left, left)
        if not self._says(name, right, left):
            return False
        # Both ways is right for what is equal, unless all is equal.
        return name in ("lt", "gt") or not self._says("eq", left, right) or self._is_lie("eq", left, right)

    def _says(self, name: str, *values: Any) -> bool:
        """Tell whether the program says yes; what it prints, and an exception, are for nobody."""
        out, sys.stdout = sys.stdout, io.StringIO()
        answers, unfit = self.answers, self.unfit
        try:
            answer = self._sent(["do", name, [self.node(value) for value in values]])
            if isinstance(answer, Stand):
                answer = self._sent(["do", "bool", [self.node(answer)]])
            return bool(answer)
        except (OutcomeException, TimedOut):
            raise
        except Exception:
            return False
        finally:
            sys.stdout, self.answers, self.unfit = out, answers, unfit


def joined(sources: Sources, end: str) -> Sources:
    return tuple(source + end if len(source) < _LONGEST_SOURCE else source for source in sources)
