"""Values of the standard library: dates, Fractions, Decimals, paths, ranges."""

from typing import TYPE_CHECKING

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Value
from grader.values.canonical import OF_LIBRARY, Key, Keys, incomparable
from grader.values.compare import unlike
from grader.values.library import parts_of
from grader.values.library_types import LIBRARY, library_text
from grader.values.show import MAX_NAME, TooLong, elided, safe_line, visible
from grader.values.sort import Inner, Node, Sort
from grader.values.tolerance import library_equal
from grader.wire.library_values import data_of

if TYPE_CHECKING:
    from grader.values.python_text import PythonText


class Library(Sort[Value]):
    """A value that is made from numbers or a text.

    Its shape is its text, which tells the places of a Decimal, and the zone of a point in time.
    """

    classes = tuple(LIBRARY)
    tells_type = True

    def text(self, value: Value, python: "PythonText") -> str:
        return python.library(value)

    def shown(self, value: Value, room: int, level: int, whole: bool) -> str:
        text = visible(library_text(value))
        if len(text) <= room:
            return text
        if whole:
            raise TooLong
        return elided(text, room, str, "characters")

    def key(self, value: Value, keys: Keys, level: int) -> Key:
        return (OF_LIBRARY, *parts_of(value))

    def difference(self, expected: Value, actual: Value, rules: Comparison, level: int) -> Difference | None:
        return None if library_equal(expected, actual, rules) else unlike(expected, actual)

    def node(self, value: Value, inner: Inner) -> Node:
        found = data_of(value)
        return ["v", value] if found is None else ["x", *found]


class Other(Library):
    """Whatever is no value that crosses the sandbox, such as a callback among the arguments of a call."""

    classes = (object,)
    is_value = False
    tells_type = False

    def text(self, value: Value, python: "PythonText") -> str:
        return python.unwritable(value)

    def shown(self, value: Value, room: int, level: int, whole: bool) -> str:
        return f"<{safe_line(type(value).__name__, MAX_NAME)} object>"

    def key(self, value: Value, keys: Keys, level: int) -> Key:
        return incomparable()

    def difference(self, expected: Value, actual: Value, rules: Comparison, level: int) -> Difference | None:
        return unlike(expected, actual)
