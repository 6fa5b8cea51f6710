"""Reads the values of one mapping by its table of keys, and reports what is not as the table says.

Every getter returns None where the key is absent or its value was reported, so that a
decoder goes on and finds the other mistakes too.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from grader.yamlfile import quantities
from grader.yamlfile.field import Kind, Table
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar, Sequence
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import CONTROL, Span, shown

_T = TypeVar("_T")
_Word = TypeVar("_Word", bound=StrEnum)


def kind_of(node: Node) -> str:
    """Say what a node is, to follow "not" in a message."""
    if isinstance(node, Scalar):
        return f"`{shown(node.text)}`" if node.text else "an empty text"
    return "a list" if isinstance(node, Sequence) else "a mapping"


class Fields:
    """The values of one mapping.  Made by `open_fields`."""

    def __init__(self, mapping: Mapping, table: Table, reporter: Reporter) -> None:
        self.table = table
        self.place = mapping.span
        self._reporter = reporter
        self._pairs: dict[str, tuple[Scalar, Node]] = {}
        names = table.names
        for key, value in mapping.pairs:
            if key.text in names:
                self._pairs[key.text] = (key, value)
            else:
                message = f"`{shown(key.text)}` is not a key of {table.title}"
                reporter.report(key.span, message, reporter.nearest(key.text, names))
        for field in table.fields:
            if field.required and field.name not in self._pairs:
                message = f"`{field.name}` is missing in {table.title}"
                reporter.report(mapping.span, message, f"`{field.name}` must be {field.kind.value}")

    def has(self, name: str) -> bool:
        """Tell whether the key is there, whatever its value."""
        return name in self._pairs

    def present(self, *names: str) -> list[str]:
        """Return those of the keys that are there."""
        return [name for name in names if name in self._pairs]

    def key_span(self, name: str) -> Span:
        """Return the place of the key; of the whole mapping where the key is absent."""
        return self._pairs[name][0].span if name in self._pairs else self.place

    def span(self, name: str) -> Span:
        """Return the place of the value; of the whole mapping where the key is absent."""
        return self._pairs[name][1].span if name in self._pairs else self.place

    def report(self, name: str, message: str, hint: str = "") -> None:
        """Report a mistake at the value of a key."""
        self._reporter.report(self.span(name), message, hint)

    def misfit(self, name: str, node: Node, hint: str = "") -> None:
        """Report that the value is not of the key's kind."""
        expected = self.table.field(name).kind.value
        self._reporter.report(node.span, f"`{name}` must be {expected}, not {kind_of(node)}", hint)

    def node(self, name: str) -> Node | None:
        """Return the value as it stands; None where there is nothing after the colon."""
        value = self._pairs[name][1] if name in self._pairs else None
        if isinstance(value, Scalar) and value.empty:
            self._reporter.report(self.key_span(name), f"`{name}` has no value")
            return None
        return None if isinstance(value, Broken) else value

    def scalar(self, name: str) -> Scalar | None:
        """Return a value that is neither a list nor a mapping."""
        node = self.node(name)
        if node is None or isinstance(node, Scalar):
            return node
        self.misfit(name, node)
        return None

    def mapping(self, name: str) -> Mapping | None:
        """Return a mapping."""
        node = self.node(name)
        if node is None or isinstance(node, Mapping):
            return node
        self.misfit(name, node)
        return None

    def items(self, name: str) -> tuple[Node, ...] | None:
        """Return the items of a list that is not empty."""
        node = self.node(name)
        if node is None:
            return None
        if not isinstance(node, Sequence):
            self.misfit(name, node)
            return None
        if not node.items:
            self.report(name, f"`{name}` is empty")
        return node.items

    def text(self, name: str) -> str | None:
        """Return a text of the spec's; numbers count as they are written."""
        scalar = self.scalar(name)
        if scalar is None:
            return None
        if scalar.value is None or not scalar.text.strip():
            self.misfit(name, scalar)
            return None
        if CONTROL.search(scalar.text):
            self.report(name, f"`{name}` holds a control character")
            return None
        return scalar.text.strip()

    def names(self, name: str) -> list[Scalar]:
        """Return the scalars of a list, or a single one as a list of one."""
        node = self.node(name)
        if node is None:
            return []
        nodes = node.items if isinstance(node, Sequence) else (node,)
        scalars = [n for n in nodes if isinstance(n, Scalar) and n.value is not None]
        for other in nodes:
            if other not in scalars and not isinstance(other, Broken):
                self.misfit(name, other)
        return scalars

    def matching(self, name: str, pattern: re.Pattern[str], expected: str) -> str | None:
        """Return a text that the pattern matches whole; `expected` completes "must be"."""
        text = self.text(name)
        if text is None or pattern.fullmatch(text):
            return text
        self.report(name, f"`{name}` must be {expected}, not `{shown(text)}`")
        return None

    def choice(self, name: str, words: type[_Word]) -> _Word | None:
        """Return one of the words of an enumeration."""
        text = self.word(name)
        return words(text) if text is not None else None

    def word(self, name: str) -> str | None:
        """Return one of the words that the table allows."""
        text = self.text(name)
        choices = self.table.field(name).choices
        if text is None or text in choices:
            return text
        words = ", ".join(choices)
        expected = f"one of {words}" if len(choices) > 1 else words
        self.report(
            name, f"`{name}` must be {expected}, not `{shown(text)}`", self._reporter.nearest(text, choices)
        )
        return None

    def boolean(self, name: str) -> bool | None:
        """Return true or false."""
        scalar = self.scalar(name)
        if scalar is None:
            return None
        if isinstance(scalar.value, bool):
            return scalar.value
        self.misfit(name, scalar)
        return None

    def quantity(self, name: str, read: Callable[[str], _T | None]) -> _T | None:
        """Return what one of the readers of `grader.yamlfile.quantities` makes of the value."""
        scalar = self.scalar(name)
        if scalar is None:
            return None
        value = read(scalar.text.strip())
        if value is None:
            self.misfit(name, scalar, self._unit_hint(name))
        return value

    def positive(
        self, name: str, read: Callable[[str], Fraction | None] = quantities.decimal
    ) -> Fraction | None:
        """Return a quantity greater than nothing."""
        value = self.quantity(name, read)
        if value is not None and value <= 0:
            self.report(name, f"`{name}` must be greater than 0")
            return None
        return value

    def _unit_hint(self, name: str) -> str:
        kind = self.table.field(name).kind
        if kind is Kind.DURATION:
            return "units: ms, s, min, h; a plain number counts seconds"
        if kind is Kind.SIZE:
            return "units: B, KiB, MiB, GiB; a plain number counts bytes"
        return ""


def open_fields(node: Node, table: Table, reporter: Reporter) -> Fields | None:
    """Return the fields of a node that is to be a mapping of that table; report what is not."""
    if isinstance(node, Mapping):
        return Fields(node, table, reporter)
    if not isinstance(node, Broken):
        message = f"{table.title} must be a mapping, lines of `key: value`, not {kind_of(node)}"
        reporter.report(node.span, message)
    return None
