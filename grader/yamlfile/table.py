"""Tables of keys: the keys of a mapping in a YAML file, how each value is read, and its meaning.

A `KeyTable` has a `Key` for each value, and a key has a `KeyKind`, which reads the value.  `open_fields`
applies a table to a mapping.  It reports unknown and missing keys, and returns the mapping's values as
`Fields`.

`fields[name]` is the default of a key that is absent or was reported, so that a decoder can go on and find
further mistakes.  `fields.usable(name)` and `fields.needed(name)` raise Unusable for a key that was reported.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from grader.yamlfile import nodes
from grader.yamlfile.nodes import Broken, Node, Scalar, Sequence
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Span, shown
from grader.yamlfile.unusable import Unusable

CUT = "in braces, a comma ends a value: write `1.5` for a number, and quotes around a text with commas"


@dataclass(frozen=True, slots=True)
class KeyKind:
    """The kind of a value: how it is read, and how messages, documentation and editors describe it.

    must_be: completes "must be" in messages.
    values: the same for documentation, with units and bounds.
    read: returns the value of a key that is present; None if it was reported.
    schema: JSON Schema of the value.
    """

    must_be: str
    values: str
    read: Callable[["Fields", str], Any]
    schema: Mapping[str, Any]

    def bounded(self, fits: Callable[[Any], bool], problem: str, values: str) -> "KeyKind":
        """Return the same kind for values that fit; `problem` follows the key in the message about others."""

        def read(fields: "Fields", name: str) -> Any:
            value = self.read(fields, name)
            if value is None or fits(value):
                return value
            fields.report(name, f"`{name}` {problem}")
            return None

        return replace(self, read=read, values=values)

    def described(self, values: str) -> "KeyKind":
        """Return the same kind with other words for documentation."""
        return replace(self, values=values)


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a mapping.

    meaning, example: for documentation and editors, in Markdown and in YAML.
    default: the value if the key is absent or was reported.
    absent: the default in words, if it depends on other values.
    """

    name: str
    kind: KeyKind
    example: str = ""
    default: Any = None
    absent: str = ""
    required: bool = False
    meaning: str = ""


@dataclass(frozen=True)
class KeyTable:
    """The keys of one kind of mapping, in the order of the documentation.

    title: completes "in …".
    synonyms: words of other tools, each with the key that is meant and a hint.
    """

    title: str
    keys: tuple[Key, ...]
    synonyms: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(key.name for key in self.keys)

    def key(self, name: str) -> Key:
        """Return the key of that name, which must exist."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Key]:
        return {key.name: key for key in self.keys}


class Fields:
    """The values of one mapping.  Made by `open_fields`."""

    def __init__(self, mapping: nodes.Mapping, table: KeyTable, reporter: Reporter) -> None:
        self.table = table
        self.place = mapping.span
        self.reporter = reporter
        self.meant: set[str] = set()
        """The keys that misspelt words, and words of other tools, stand for; their absence was reported."""
        self._pairs: dict[str, tuple[Scalar, Node]] = {}
        for key, value in mapping.pairs:
            if key.text in table.names:
                self._pairs[key.text] = (key, value)
            else:
                self._refuse(key, is_cut=mapping.flow and isinstance(value, Scalar) and value.empty)
        for known in table.keys:
            if known.required and known.name not in self._pairs and known.name not in self.meant:
                message = f"`{known.name}` is missing in {table.title}"
                hint = f"`{known.name}` must be {known.kind.must_be}"
                reporter.report(mapping.span, message, f"{hint}: {known.meaning}")

    def _refuse(self, key: Scalar, *, is_cut: bool) -> None:
        """Report a word that is no key, with the key that is meant, the nearest one, or all of them.

        is_cut: it stands alone behind a comma in braces, so it may be the rest of a number or of a text.
        """
        table, reporter = self.table, self.reporter
        word = re.sub(r"[^a-z]+", "_", key.text.casefold()).strip("_")
        meant, hint = table.synonyms.get(word, ("", ""))
        if not meant:
            meant = reporter.near(key.text, table.names)
            hint = f"did you mean `{meant}`?" if meant else CUT if is_cut else _listed(table)
        if meant:
            self.meant.add(meant)
        reporter.report(key.span, f"`{shown(key.text)}` is not a key of {table.title}", hint)

    def __getitem__(self, name: str) -> Any:
        """Return a key's value as its kind reads it, or its default if it is absent or was reported."""
        key = self.table.key(name)
        value = key.kind.read(self, name) if name in self._pairs else None
        return key.default if value is None else value

    def usable(self, name: str) -> Any:
        """Return a key's value, or its default if it is absent.  Raises Unusable if it was reported."""
        return self.needed(name) if name in self._pairs else self.table.key(name).default

    def needed(self, name: str) -> Any:
        """Return a key's value.  Raises Unusable if it is absent or was reported."""
        value = self.table.key(name).kind.read(self, name) if name in self._pairs else None
        if value is None:
            raise Unusable
        return value

    def has(self, name: str) -> bool:
        return name in self._pairs

    def present(self, *names: str) -> list[str]:
        """Return those of the keys that are present."""
        return [name for name in names if name in self._pairs]

    def key_span(self, name: str) -> Span:
        """Return the place of the key, or of the mapping if the key is absent."""
        return self._pairs[name][0].span if name in self._pairs else self.place

    def span(self, name: str) -> Span:
        """Return the place of the value, or of the mapping if the key is absent."""
        return self._pairs[name][1].span if name in self._pairs else self.place

    def report(self, name: str, message: str, hint: str = "") -> None:
        """Report a mistake at the value of a key."""
        self.reporter.report(self.span(name), message, hint)

    def report_key(self, name: str, message: str, hint: str = "") -> None:
        """Report a mistake at a key itself."""
        self.reporter.report(self.key_span(name), message, hint)

    def misfit(self, name: str, node: Node, hint: str = "") -> None:
        """Report that a value, or a part of it, is not of the key's kind."""
        must_be = self.table.key(name).kind.must_be
        self.reporter.report(node.span, f"`{name}` must be {must_be}, not {kind_of(node)}", hint)

    def node(self, name: str) -> Node | None:
        """Return the value as it is written; None if it is absent, empty or was reported."""
        value = self._pairs[name][1] if name in self._pairs else None
        if isinstance(value, Scalar) and value.empty:
            self.report_key(name, f"`{name}` has no value")
            return None
        return None if isinstance(value, Broken) else value

    def scalar(self, name: str) -> Scalar | None:
        """Return a value that is neither a list nor a mapping."""
        node = self.node(name)
        if node is None or isinstance(node, Scalar):
            return node
        self.misfit(name, node)
        return None


def _listed(table: KeyTable) -> str:
    return f"the keys are {', '.join(f'`{name}`' for name in table.names)}"


def opened(node: Node, table: KeyTable, reporter: Reporter) -> Fields:
    """Return the values of a node that must be a mapping of that table.  Raises Unusable for any other."""
    fields = open_fields(node, table, reporter)
    if fields is None:
        raise Unusable
    return fields


def open_fields(node: Node, table: KeyTable, reporter: Reporter) -> Fields | None:
    """Return the values of a node that must be a mapping of that table; report any other node."""
    if isinstance(node, nodes.Mapping):
        if _is_split(node, table):
            message = "YAML splits this at its commas before Python sees it"
            hint = 'put each value that has commas in quotes, such as `call: "f(1, 2)"`'
            reporter.report(node.span, message, hint)
            return None
        return Fields(node, table, reporter)
    if not isinstance(node, Broken):
        message = f"{table.title} must be a mapping, lines of `key: value`, not {kind_of(node)}"
        reporter.report(node.span, message)
    return None


def _is_split(mapping: nodes.Mapping, table: KeyTable) -> bool:
    """Tell whether YAML took a comma inside a value for the end of it, as in `{call: f(1, 2)}`."""
    if not mapping.flow:
        return False
    pieces = [key for key, value in mapping.pairs if isinstance(value, Scalar) and value.empty]
    values = [value for _, value in mapping.pairs if isinstance(value, Scalar)]
    return any(key.text not in table.names for key in pieces) and any(map(is_cut, values))


def is_cut(scalar: Scalar) -> bool:
    """Tell whether a value without quotes holds a bracket whose other half is elsewhere."""
    opening = sum(character in "([{" for character in scalar.text)
    return not scalar.style and opening != sum(character in ")]}" for character in scalar.text)


def kind_of(node: Node) -> str:
    """Return in words what a node is, to follow "not" in a message."""
    if isinstance(node, Scalar):
        return f"`{shown(node.text)}`" if node.text else "an empty text"
    return "a list" if isinstance(node, Sequence) else "a mapping"
