"""Plain values without parts: numbers, truth values, texts, and None."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.values import canonical
from grader.values.canonical import Key, Keys
from grader.values.compare import unlike
from grader.values.show import complex_text, float_text, int_text, quoted, text_within
from grader.values.sort import Sort
from grader.values.texts import bytes_difference, text_difference
from grader.values.tolerance import numbers_equal

if TYPE_CHECKING:
    from grader.values.python_text import PythonText

V = TypeVar("V")


class Itself(Sort[V]):
    """A value that equals another of its class where Python says so.

    rank: the first part of its key.
    """

    rank: ClassVar[int]

    def key(self, value: V, keys: Keys, level: int) -> Key:
        return (self.rank, value)

    def difference(self, expected: V, actual: V, rules: Comparison, level: int) -> Difference | None:
        return None if expected == actual else unlike(expected, actual)

    def shape(self, value: V) -> Hashable:
        return value

    def text(self, value: V, python: "PythonText") -> str:
        return repr(value)

    def shown(self, value: V, room: int, level: int, whole: bool) -> str:
        return repr(value)


class Nothing(Itself[None]):
    classes = (type(None),)
    rank = canonical.NONE

    def key(self, value: None, keys: Keys, level: int) -> Key:
        return (self.rank,)


class Bool(Itself[bool]):
    classes = (bool,)
    rank = canonical.BOOL


class Bytes(Itself[bytes]):
    classes = (bytes,)
    rank = canonical.BYTES

    def shown(self, value: bytes, room: int, level: int, whole: bool) -> str:
        return text_within(value, room, repr, "bytes", whole)

    def difference(self, expected: bytes, actual: bytes, rules: Comparison, level: int) -> Difference | None:
        return None if expected == actual else bytes_difference(expected, actual)


class Number(Sort[V]):
    """A number, which the rules of a comparison may let differ a little."""

    def key(self, value: V, keys: Keys, level: int) -> Key:
        return canonical.number_key(value)

    def difference(self, expected: V, actual: V, rules: Comparison, level: int) -> Difference | None:
        return None if numbers_equal(expected, actual, rules) else unlike(expected, actual)


class Int(Number[int]):
    classes = (int,)

    def text(self, value: int, python: "PythonText") -> str:
        return python.integer(value)

    def shape(self, value: int) -> Hashable:
        return value

    def shown(self, value: int, room: int, level: int, whole: bool) -> str:
        return int_text(value, room)


class Str(Itself[str]):
    classes = (str,)
    rank = canonical.STR

    def text(self, value: str, python: "PythonText") -> str:
        return python.string(value)

    def shown(self, value: str, room: int, level: int, whole: bool) -> str:
        return text_within(value, room, quoted, "characters", whole)

    def difference(self, expected: str, actual: str, rules: Comparison, level: int) -> Difference | None:
        return None if expected == actual else text_difference(expected, actual)


class Float(Number[float]):
    classes = (float,)

    def text(self, value: float, python: "PythonText") -> str:
        return python.real(value)

    def shown(self, value: float, room: int, level: int, whole: bool) -> str:
        return float_text(value)


class Complex(Number[complex]):
    classes = (complex,)

    def text(self, value: complex, python: "PythonText") -> str:
        return python.complex_number(value)

    def shown(self, value: complex, room: int, level: int, whole: bool) -> str:
        return complex_text(value)
