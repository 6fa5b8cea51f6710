"""Composes YAML into nodes that know their places.

It reads PyYAML's stream of events, with limits on nesting and on the number of nodes, because PyYAML's own
composers crash or stall on hostile nesting.  Anchors, aliases, merge keys, tags, further documents and
duplicate keys are refused.  Unquoted words follow the core schema of YAML 1.2 alone: `on`, `yes` and `12:30`
are texts, `012` is twelve and `1e3` is a float.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

import yaml

from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, Span, shown
from grader.yamlfile.syntax_errors import (
    MAX_DEPTH,
    TOO_DEEP,
    report_syntax_error,
    report_unreadable_character,
)

_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"[-+]?\.(inf|Inf|INF)")
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}

LONGEST_NUMBER = 4000
"""The most digits of a number; Python itself reads no decimal number of more than 4300."""


def resolve(text: str) -> bool | int | float | str | None:
    """Return the value of an unquoted scalar; a number that is too long stays text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > LONGEST_NUMBER:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _INFINITY.fullmatch(text):
        return float("-inf" if text[0] == "-" else "inf")
    if text in (".nan", ".NaN", ".NAN"):
        return float("nan")
    return text


MAX_NODES = 100_000

FASTEST_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value.

    text: as YAML reads it, quotes and line folding undone.
    style: the character that opens it (`'`, `"`, `|`, `>`); empty for a plain one.
    """

    span: Span
    text: str
    style: str = ""

    @property
    def value(self) -> object:
        """None, bool, int, float or str: plain scalars by the core schema, quoted ones as text."""
        return self.text if self.style else resolve(self.text)

    @property
    def empty(self) -> bool:
        """Nothing was written, as after a key without a value."""
        return not self.text and not self.style


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list; `flow`: written in square brackets."""

    span: Span
    items: tuple["Node", ...]
    flow: bool


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in the order of the file, each key once; `flow`: written in braces."""

    span: Span
    pairs: tuple[tuple[Scalar, "Node"], ...]
    flow: bool


@dataclass(frozen=True, slots=True)
class Broken:
    """A node that was refused and reported."""

    span: Span


Node: TypeAlias = Scalar | Sequence | Mapping | Broken


class _Abandoned(Exception):
    """The rest of the file can't be read, and the reason was reported."""


def compose(reporter: Reporter, loader: Any = FASTEST_LOADER, most: int = MAX_NODES) -> Node | None:
    """Return the one document of the reporter's source, or None if it can't be read at all.

    most: the number of nodes that it can have.
    """
    if report_unreadable_character(reporter):
        return None
    try:
        return _Composer(reporter, yaml.parse(reporter.source.text, Loader=loader), most).document()
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The parser in Python lets ValueError and OverflowError escape for some huge numbers.
        report_syntax_error(reporter, error)
    except _Abandoned:
        pass
    return None


class _Composer:
    """Turns events into nodes.  Recursion is as deep as the nodes, at most `MAX_DEPTH`."""

    def __init__(self, reporter: Reporter, events: Iterator[Any], most: int) -> None:
        self._reporter, self._most = reporter, most
        self._source: Source = reporter.source
        self._events = events
        self._nodes = 0

    def document(self) -> Node:
        next(self._events)  # start of the stream
        if isinstance(next(self._events), yaml.StreamEndEvent):
            self._reporter.report(
                Span(0, 0), "the spec is empty", "start with `task:`, `title:` and `marks:`"
            )
            raise _Abandoned
        node = self._node(next(self._events), 1)
        next(self._events)  # end of the document
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            self._reporter.report(self._span(after), "a second document starts here; a spec is a single one")
        return node

    def _node(self, event: Any, depth: int) -> Node:
        self._nodes += 1
        if self._nodes > self._most:
            self._reporter.report(self._span(event), f"the spec holds more than {self._most:,} values")
            raise _Abandoned
        if depth > MAX_DEPTH:
            self._reporter.report(self._span(event), TOO_DEEP)
            raise _Abandoned
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, f"`*{shown(str(event.anchor))}` refers to an anchor; specs have none")
            return Broken(self._span(event))
        if event.anchor is not None:
            self._refuse(event, f"`&{shown(str(event.anchor))}` is an anchor; specs have none")
        if event.tag is not None:
            self._refuse(event, f"`{shown(_written_tag(event.tag))}` is a tag; specs have none")
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(self._span(event), event.value, event.style or "")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        return self._mapping(event, depth)

    def _refuse(self, event: Any, message: str) -> None:
        hint = "write the value out, or give it a name under `let`"
        self._reporter.report(self._span(event), message, hint)

    def _sequence(self, start: Any, depth: int) -> Sequence:
        items = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._node(event, depth + 1))
        return Sequence(self._collection_span(start, event), tuple(items), bool(start.flow_style))

    def _mapping(self, start: Any, depth: int) -> Mapping:
        pairs: dict[str, tuple[Scalar, Node]] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            value = self._node(next(self._events), depth + 1)
            if self._is_key(key, pairs):
                pairs[key.text] = (key, value)
        return Mapping(self._collection_span(start, event), tuple(pairs.values()), bool(start.flow_style))

    def _span(self, event: Any) -> Span:
        return Span(event.start_mark.index, event.end_mark.index, self._source)

    def _collection_span(self, start: Any, end: Any) -> Span:
        """Return the place of a collection: all of it in brackets; of a block, its first character."""
        first = start.start_mark.index
        return Span(first, end.end_mark.index if start.flow_style else first + 1, self._source)

    def _is_key(self, key: Node, pairs: dict[str, tuple[Scalar, Node]]) -> TypeGuard[Scalar]:
        if isinstance(key, Broken):
            return False
        if not isinstance(key, Scalar):
            self._reporter.report(key.span, "a key must be a single word", "put expressions in quotes")
            return False
        if key.text == "<<" and not key.style:
            self._reporter.report(key.span, "`<<` is a merge key; specs have none", "write the keys out")
            return False
        if key.text in pairs:
            first, _ = self._source.position(pairs[key.text][0].span.start)
            again, _ = self._source.position(key.span.start)
            message = f"`{shown(key.text)}` is given twice, on line {first} and on line {again}"
            self._reporter.report(key.span, message)
            return False
        return True


def _written_tag(tag: str) -> str:
    return "!!" + tag.removeprefix("tag:yaml.org,2002:") if tag.startswith("tag:yaml.org,2002:") else tag
