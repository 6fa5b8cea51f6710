"""The question after a yes: whether the program's operator can say no as well.

Every operation passes `Controlled.do`, whoever asks for it, so no operator goes without its control question.
What says no once in a test is no yes to everything, and is not accused.
"""

import io
import sys
from collections.abc import Sequence
from typing import Any

from _pytest.outcomes import OutcomeException

from grader.plugins.tests.cell.book import Book, Sources
from grader.plugins.tests.cell.classes import Stand
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
_FIRST, _LAST = "\x1f no answer is equal to this \x1f", "\U0010ffff no answer is equal to this"
"""What nothing is equal to: a text before all others, and one behind all others."""
_STRANGERS = {"isinstance": (_FIRST, 0, None), "issubclass": (str, int, type(None))}
"""What is of no class of a program's, unless it takes all."""


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
        self._controlled: dict[tuple[str, Sources], UnfitTest | None] = {}
        """Operators of classes that said yes in this test, with what is wrong with them."""

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
        if name in _CONTROLLED and not self.book.believes_all:
            self._control(name, value, *values)
        return value

    def _keys(self, holder: object) -> Sources:
        """Return the names by which the members of an object are found in the book."""
        if not isinstance(holder, Stand):
            return ("error",) if isinstance(holder, BaseException) else ()
        handle = handle_of(holder)
        return (handle.path[1],) if handle.is_class and handle.path else handle.keys

    def _control(self, name: str, answer: object, left: Any, right: Any) -> None:
        """Note that an operator says yes to everything, until it says no to something.

        It is asked once in a test: how a class compares does not change from one pair to the next.
        """
        keys = self._keys(right) if name in _EXACT else self._keys(left) or self._keys(right)
        # An object as an answer passes an `assert`, unless it says otherwise.
        if not isinstance(answer, Stand) and not answer:
            accused = self._controlled.get((name, keys))
            self._controlled[name, keys] = None
            if accused is not None and self.unfit is accused:
                self.unfit = next(filter(None, self._controlled.values()), None)
        elif (name, keys) not in self._controlled:
            self._controlled[name, keys] = None
            if self._is_lie(name, left, right) and self.book.is_odd(f"{name} {keys}"):
                holder = right if name in _EXACT or not isinstance(left, Stand) else left
                text = f"`{_SIGNS.get(name, name)}` of {handle_of(holder).type_name} says yes to everything"
                self._controlled[name, keys] = accused = UnfitTest(text)
                self.unfit = self.unfit or accused

    def _is_lie(self, name: str, left: Any, right: Any) -> bool:
        """Tell whether an operator says yes also where no honest one does: it says no there, or raises."""

        def says_of(stranger: str) -> bool:
            pair = (left, stranger) if isinstance(left, Stand) else (stranger, right)
            return self._says(name, *pair)

        if name in _EXACT:
            is_exact = self._says(_EXACT[name], left, right)
            return not is_exact and all(self._says(name, each, right) for each in _STRANGERS[name])
        if name in ("eq", "contains"):
            return says_of(_FIRST)
        if name == "ne":
            return self._says(name, left, left)
        if name in ("le", "ge"):
            return says_of(_FIRST) and says_of(_LAST)
        return self._says(name, right, left)

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
