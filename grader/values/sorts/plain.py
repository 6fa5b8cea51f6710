"""Plain values without parts: numbers, truth values, texts, and None."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from grader.values.sort import Sort

if TYPE_CHECKING:
    from grader.values.python_text import PythonText

V = TypeVar("V")


class Itself(Sort[V]):
    """None, bool, bytes: values that are the same where Python says so."""

    classes: ClassVar[tuple[type, ...]] = (type(None), bool, bytes)

    def shape(self, value: V) -> Hashable:
        return value

    def text(self, value: V, python: "PythonText") -> str:
        return repr(value)


class Int(Itself[int]):
    classes = (int,)

    def text(self, value: int, python: "PythonText") -> str:
        return python.integer(value)


class Str(Itself[str]):
    classes = (str,)

    def text(self, value: str, python: "PythonText") -> str:
        return python.string(value)


class Float(Sort[float]):
    classes = (float,)

    def text(self, value: float, python: "PythonText") -> str:
        return python.real(value)


class Complex(Sort[complex]):
    classes = (complex,)

    def text(self, value: complex, python: "PythonText") -> str:
        return python.complex_number(value)
