"""Values as Python text that gives the same value when it is pasted.

A sort knows the form of its values; `PythonText` knows the words for one reader.  A subclass changes some of
them: names with a module before them, texts in other quotes, complex numbers that a spec can read.
"""

import math
from collections.abc import Iterable

from grader.model.values import EnumMember, Value
from grader.values.library_types import library_text
from grader.values.sort import sort_of

LONGEST_INT = 10_000
"""The most bits of an int that is written in decimal digits, which Python does for some 14,000."""


class PythonText:
    """Writes values as Python.

    says_all: whether a call names arguments that hold anyway.
    """

    says_all = False

    def of(self, value: Value) -> str:
        """Return the text of a value."""
        return sort_of(value).text(value, self)

    def items(self, values: Iterable[Value]) -> str:
        """Return the texts of values, in their order, with commas between them."""
        return ", ".join(map(self.of, values))

    def members(self, values: Iterable[Value]) -> str:
        """Return the same for the members of a set, in an order that does not depend on hashes."""
        return ", ".join(sorted(map(self.of, values)))

    @property
    def of_cells(self) -> "PythonText":
        """Return what writes the labels and cells of tables."""
        return self

    def integer(self, value: int) -> str:
        return hex(value) if value.bit_length() > LONGEST_INT else repr(value)

    def real(self, value: float) -> str:
        return repr(value) if math.isfinite(value) else f"float('{value}')"

    def complex_number(self, value: complex) -> str:
        """Return the short form if it gives the same value, with the signs of zeros; else a call."""
        parts = (value.real, value.imag)
        plain = all(math.isfinite(part) and math.copysign(1, part) > 0 for part in parts)
        return repr(value) if plain else f"complex({self.real(value.real)}, {self.real(value.imag)})"

    def string(self, value: str) -> str:
        return repr(value)

    def class_name(self, name: str) -> str:
        """Return the name of a class that the spec declares."""
        return name

    def enum_member(self, value: EnumMember) -> str:
        return f"{self.class_name(value.type_name)}.{value.name}"

    def library(self, value: Value) -> str:
        return library_text(value)

    def unwritable(self, value: Value) -> str:
        """Return what stands for a value that Python cannot make, or raise."""
        return repr(value)


_PLAIN = PythonText()


def literal(value: Value) -> str:
    """Return Python text for a plain value; sets are sorted by their items' text."""
    return _PLAIN.of(value)
