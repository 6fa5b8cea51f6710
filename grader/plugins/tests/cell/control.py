"""The question after a yes: whether the program's operator can say no as well.

Every operation passes `Controlled.do`, whoever asks for it, so no operator goes without its control question.
An accusation needs a proof, since honest classes answer strangers in many ways: they raise, or say that
nothing is greater than a stranger.  So `==` is asked about a text that is equal to nothing, `in` only where
the reference says no to that text, and of orders only where `==` lies too.  What says no once in a test is no
yes to everything, and is not accused.

The questions are asked when the test is over: an operator may count how often it was asked.
"""

import io
import sys
from collections.abc import Sequence
from typing import Any

from _pytest.outcomes import OutcomeException

from grader.plugins.tests.cell.book import STRAY, Book, Sources, within
from grader.plugins.tests.cell.classes import Stand
from grader.plugins.tests.cell.clock import TimedOut
from grader.plugins.tests.cell.crossing import Marshaller
from grader.plugins.tests.cell.handles import handle_of
from grader.plugins.tests.cell.proxies import IN_PLACE, Proxy
from grader.wire.nodes import Node

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in"}
_EXACT = {"isinstance": "derives", "issubclass": "derives_class"}
"""What tells the same of a class without asking its own methods."""
_CONTROLLED = _SIGNS.keys() | _EXACT.keys()
_LONGEST_SOURCE = 300
_TOKEN = "\x1f no answer is equal to this \x1f"
"""What nothing is equal to."""
_STRANGERS = {"isinstance": (_TOKEN, 0, None), "issubclass": (str, int, type(None))}
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
        self._said_no: set[tuple[str, Sources]] = set()
        """Operators of classes that said no in this test."""
        self._said_yes: dict[tuple[str, Sources], tuple[Any, Any]] = {}
        """Those that said yes, with the first two sides."""

    def _sent(self, operation: Node, sources: Sources = (), given: Sequence[Any] = ()) -> Any:
        raise NotImplementedError

    def facts_of(self, number: int) -> dict[str, frozenset[str]]:
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
            handle = handle_of(holder)
            # As those to the items of a list, in whose place it may stand.
            ways = handle.inner or within(keys if handle.is_stray else handle.sources)
            return self._sent(operation, self.book.surest(ways), values)
        self.book.note_asked(keys, f"__{name.rstrip('_')}__")
        ways = tuple(way for each in names_of(name) for way in joined(keys, f".__{each}__()"))
        value = self._sent(operation, ways, values)
        if name in _CONTROLLED and not self.book.believes_all:
            self._remember(name, value, *values)
        return value

    def _keys(self, holder: object) -> Sources:
        """Return the names by which the members of an object are found in the book."""
        if not isinstance(holder, Stand):
            return ("error",) if isinstance(holder, BaseException) else ()
        handle = handle_of(holder)
        if handle.is_stray:
            return (STRAY,)
        return (handle.path[1],) if handle.is_class and handle.path else handle.keys

    def _remember(self, name: str, answer: object, left: Any, right: Any) -> None:
        """Remember an answer for the end of the test."""
        if isinstance(answer, Stand) and not handle_of(answer).is_stray:
            # As in the reference, such as the comparisons of a column one by one.
            return
        keys = self._keys(right) if name in _EXACT else self._keys(left) or self._keys(right)
        # Any other object as an answer passes an `assert`, unless it says otherwise.
        if not isinstance(answer, Stand) and not answer:
            self._said_no.add((name, keys))
        else:
            self._said_yes.setdefault((name, keys), (left, right))

    def settle(self) -> None:
        """At the end of a test: note which operators say yes to everything."""
        for (name, keys), (left, right) in self._said_yes.items():
            if (name, keys) in self._said_no or not self._is_lie(name, keys, left, right):
                continue
            if self.book.is_odd(f"{name} {keys}"):
                holder = right if name in _EXACT or not isinstance(left, Stand) else left
                text = f"`{_SIGNS.get(name, name)}` of {handle_of(holder).type_name} says yes to everything"
                self._note(text)

    def _is_lie(self, name: str, keys: Sources, left: Any, right: Any) -> bool:
        """Tell whether an operator says yes also where no honest one does: it says no there, or raises."""
        if name in _EXACT:
            is_exact = self._says(_EXACT[name], left, right)
            return not is_exact and all(self._says(name, each, right) for each in _STRANGERS[name])
        if name == "eq":
            # Both sides: a wild card is equal to all, but what it is compared with is not.
            sides = [each for each in (left, right) if isinstance(each, Stand)]
            return all(self._says(name, each, _TOKEN) for each in sides)
        if name == "contains":
            return self._holds_all(keys, left)
        if name == "ne":
            return self._says(name, left, left) or self._says("eq", left, right)
        # Both ways is right for what is of one rank.  Since the test has asked, both sides may have changed.
        both = all(self._says(name, *pair) for pair in ((left, right), (right, left)))
        return both and self._is_lie("eq", keys, left, right)

    def _holds_all(self, keys: Sources, holder: Any) -> bool:
        """Tell whether an object holds a text that the reference's does not hold.

        Without a method of its own Python would look through its items, which may never end.
        """
        described = handle_of(holder).described
        if described is None or "__contains__" not in self.facts_of(described.number)["own"]:
            return False
        cannot = f"no to a stranger: in {keys}"
        if self.book.learns:
            if self._answer("contains", holder, _TOKEN) is False:
                self.book.is_odd(cannot)
            return False
        return not self.book.is_odd(cannot) and self._says("contains", holder, _TOKEN)

    def _says(self, name: str, *values: Any) -> bool:
        """Tell whether the program says yes."""
        answer = self._answer(name, *values)
        if isinstance(answer, Stand):
            answer = self._answer("bool", answer)
        return bool(answer)

    def _answer(self, name: str, *values: Any) -> Any:
        """Return what the program says, None if it raises; what it prints is for nobody."""
        out, sys.stdout = sys.stdout, io.StringIO()
        answers, unfit = self.answers, self.unfit
        try:
            return self._sent(["do", name, [self.node(value) for value in values]])
        except (OutcomeException, TimedOut):
            raise
        except Exception:
            return None
        finally:
            sys.stdout, self.answers, self.unfit = out, answers, unfit


def names_of(operator: str) -> tuple[str, ...]:
    """Return the operators that a class may have for one: `a += b` is `a = a + b` where it has no other."""
    return (operator, operator[1:]) if operator in IN_PLACE else (operator,)


def joined(sources: Sources, end: str) -> Sources:
    return tuple(source + end if len(source) < _LONGEST_SOURCE else source for source in sources)
