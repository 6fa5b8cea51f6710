"""Plain values without parts: numbers, truth values, texts, and None."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from grader.values.show import complex_text, float_text, int_text, quoted, text_within
from grader.values.sort import Sort

if TYPE_CHECKING:
    from grader.values.python_text import PythonText

V = TypeVar("V")


class Itself(Sort[V]):
    """None, bool: values that are the same where Python says so."""

    classes: ClassVar[tuple[type, ...]] = (type(None), bool)

    def shape(self, value: V) -> Hashable:
        return value

    def text(self, value: V, python: "PythonText") -> str:
        return repr(value)

    def shown(self, value: V, room: int, level: int, whole: bool) -> str:
        return repr(value)


class Bytes(Itself[bytes]):
    classes = (bytes,)

    def shown(self, value: bytes, room: int, level: int, whole: bool) -> str:
        return text_within(value, room, repr, "bytes", whole)


class Int(Itself[int]):
    classes = (int,)

    def text(self, value: int, python: "PythonText") -> str:
        return python.integer(value)

    def shown(self, value: int, room: int, level: int, whole: bool) -> str:
        return int_text(value, room)


class Str(Itself[str]):
    classes = (str,)

    def text(self, value: str, python: "PythonText") -> str:
        return python.string(value)

    def shown(self, value: str, room: int, level: int, whole: bool) -> str:
        if whole and len(value) <= room:
            return quoted(value)
        return text_within(value, room, quoted, "characters", whole)


class Float(Sort[float]):
    classes = (float,)

    def text(self, value: float, python: "PythonText") -> str:
        return python.real(value)

    def shown(self, value: float, room: int, level: int, whole: bool) -> str:
        return float_text(value)


class Complex(Sort[complex]):
    classes = (complex,)

    def text(self, value: complex, python: "PythonText") -> str:
        return python.complex_number(value)

    def shown(self, value: complex, room: int, level: int, whole: bool) -> str:
        return complex_text(value)
