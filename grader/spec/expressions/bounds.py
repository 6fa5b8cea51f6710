"""How big values may become while a spec is read, so that no expression can exhaust the machine."""

from dataclasses import dataclass

from grader.model.values import Record, Value

MAX_INTEGER_BITS = 10_000
MAX_ITEMS = 100_000
"""Items of one value, those of its parts included."""
MAX_TEXT = 1_000_000
"""Characters and bytes of all texts in one value."""
MAX_VALUE_DEPTH = 50
MAX_ITEMS_OF_SPEC = 2_000_000
"""Items of all values of a spec, arguments of every single call included."""

MAX_CALLS_OF_SPEC = 100_000
"""Calls that `over` makes, in all cases together."""


@dataclass(frozen=True, slots=True)
class Extent:
    """items: of all containers inside; text: characters and bytes inside; depth: levels."""

    items: int
    text: int
    depth: int

    def times(self, count: int) -> "Extent":
        """Return the extent of so many copies side by side."""
        return Extent(self.items * count, self.text * count, self.depth)

    def plus(self, other: "Extent") -> "Extent":
        """Return the extent of both side by side."""
        return Extent(self.items + other.items, self.text + other.text, max(self.depth, other.depth))

    def excess(self) -> str:
        """Return in words what is too much; empty where the value is within bounds."""
        if self.items > MAX_ITEMS:
            return f"this value has {self.items:,} items; at most {MAX_ITEMS:,} are allowed"
        if self.text > MAX_TEXT:
            return f"this value has {self.text:,} characters; at most {MAX_TEXT:,} are allowed"
        if self.depth > MAX_VALUE_DEPTH:
            return f"this value is nested more than {MAX_VALUE_DEPTH} levels deep"
        return ""


def extent_of(value: Value) -> Extent:
    """Measure a plain value; a part that occurs twice counts twice."""
    items = text = depth = 0
    level: list[Value] = [value]
    while level:
        below: list[Value] = []
        for part in level:
            if isinstance(part, str | bytes):
                text += len(part)
            elif isinstance(part, dict):
                below.extend(part.keys())
                below.extend(part.values())
            elif isinstance(part, list | tuple | set | frozenset | range):
                below.extend(part)
            elif isinstance(part, Record):
                below.extend(field for _, field in part.fields)
        depth += any(isinstance(part, list | tuple | set | frozenset | dict | Record) for part in level)
        items += len(below)
        level = below
    return Extent(items, text, depth)


class Allowance:
    """What is left of a spec's items and calls; one for the whole load."""

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
        """Return True once: the refusals after the first have the same cause."""
        first, self._refused = not self._refused, True
        return first
