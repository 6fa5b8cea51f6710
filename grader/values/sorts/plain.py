"""Plain values without parts: numbers, truth values, texts, and None."""

from collections.abc import Hashable
from typing import TypeVar

from grader.values.sort import Sort

V = TypeVar("V")


class Itself(Sort[V]):
    """None, bool, int, str, bytes: values that are the same where Python says so."""

    classes = (type(None), bool, int, str, bytes)

    def shape(self, value: V) -> Hashable:
        return value


class Float(Sort[float]):
    classes = (float,)


class Complex(Sort[complex]):
    classes = (complex,)


class Other(Sort[object]):
    """Whatever is no value that crosses the sandbox, such as a callback among the arguments of a call."""

    classes = ()
