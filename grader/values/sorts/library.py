"""Values of the standard library: dates, Fractions, Decimals, paths, ranges."""

from typing import TYPE_CHECKING

from grader.model.library import LIBRARY
from grader.model.values import Value
from grader.values.sort import Inner, Node, Sort
from grader.wire.library_values import data_of

if TYPE_CHECKING:
    from grader.values.python_text import PythonText


class Library(Sort[Value]):
    """A value that is made from numbers or a text.

    Its shape is its text, which tells the places of a Decimal, and the zone of a point in time.
    """

    classes = tuple(LIBRARY)

    def text(self, value: Value, python: "PythonText") -> str:
        return python.library(value)

    def node(self, value: Value, inner: Inner) -> Node:
        found = data_of(value)
        return ["v", value] if found is None else ["x", *found]


class Other(Library):
    """Whatever is no value that crosses the sandbox, such as a callback among the arguments of a call."""

    classes = ()

    def text(self, value: Value, python: "PythonText") -> str:
        return python.unwritable(value)
