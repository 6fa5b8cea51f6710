"""Bounds on values while a spec is read, so that no expression can exhaust the machine."""

from dataclasses import dataclass

from grader.model.values import Value
from grader.values.sort import sort_of

MAX_INTEGER_BITS = 10_000
MAX_ITEMS = 100_000
"""The most items of one value, with those of its parts."""
MAX_TEXT = 1_000_000
"""The most characters and bytes of all texts in one value."""
MAX_VALUE_DEPTH = 50
MAX_ITEMS_OF_SPEC = 2_000_000
"""The most items of all values of a spec, with the arguments of every single call."""

MAX_CALLS_OF_SPEC = 100_000
"""The most calls that `over` makes, in all cases together."""


@dataclass(frozen=True, slots=True)
class ValueSize:
    """The items of all containers in a value, the characters and bytes of its texts, and its levels."""

    items: int
    text: int
    depth: int

    def times(self, count: int) -> "ValueSize":
        """Return the size of so many copies side by side."""
        return ValueSize(self.items * count, self.text * count, self.depth)

    def plus(self, other: "ValueSize") -> "ValueSize":
        """Return the size of both side by side."""
        return ValueSize(self.items + other.items, self.text + other.text, max(self.depth, other.depth))

    def excess(self) -> str:
        """Return in words which bound is exceeded; empty if none is."""
        if self.items > MAX_ITEMS:
            return f"this value has {self.items:,} items; at most {MAX_ITEMS:,} are allowed"
        if self.text > MAX_TEXT:
            return f"this value has {self.text:,} characters; at most {MAX_TEXT:,} are allowed"
        if self.depth > MAX_VALUE_DEPTH:
            return f"this value is nested more than {MAX_VALUE_DEPTH} levels deep"
        return ""


def size_as_list(value: Value, size: ValueSize) -> ValueSize:
    """Return the size of a list of a value's items, given its own; `len` fails for a huge range."""
    if not isinstance(value, range):
        return size
    return ValueSize(max(-((value.start - value.stop) // value.step), 0), 0, 1)


def size_of(value: Value) -> ValueSize:
    """Return the size of a plain value; a part that occurs twice counts twice."""
    items = text = depth = 0
    level: list[Value] = [value]
    while level:
        text += sum(len(part) for part in level if isinstance(part, str | bytes))
        depth += any(sort_of(part).is_container for part in level)
        level = [inner for part in level for inner in sort_of(part).parts(part)]
        items += len(level)
    return ValueSize(items, text, depth)


class ValueBudget:
    """The items and calls that the rest of a spec may use; all decoders share it."""

    def __init__(self) -> None:
        self._left = MAX_ITEMS_OF_SPEC
        self._calls_left = MAX_CALLS_OF_SPEC
        self._refused = False

    def spend(self, items: int) -> bool:
        """Take items off; return whether there were enough."""
        self._left -= items
        return self._left >= 0

    def spend_calls(self, calls: int) -> bool:
        """Take calls off; return whether there were enough."""
        self._calls_left -= calls
        return self._calls_left >= 0

    def first_refusal(self) -> bool:
        """Return True for the first refusal; the others have the same cause."""
        first, self._refused = not self._refused, True
        return first
