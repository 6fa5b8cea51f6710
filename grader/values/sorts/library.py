"""Values of the standard library: dates, Fractions, Decimals, paths, ranges."""

from typing import TYPE_CHECKING

from grader.model.library import LIBRARY
from grader.model.values import Value
from grader.values.sort import Sort

if TYPE_CHECKING:
    from grader.values.python_text import PythonText


class Library(Sort[Value]):
    """A value that is made from numbers or a text.

    Its shape is its text, which tells the places of a Decimal, and the zone of a point in time.
    """

    classes = tuple(LIBRARY)

    def text(self, value: Value, python: "PythonText") -> str:
        return python.library(value)
