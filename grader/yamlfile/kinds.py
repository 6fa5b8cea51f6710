"""The kinds of values that the keys of a table can have: texts, numbers, durations, lists, other tables."""

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Context, Decimal, Inexact
from enum import StrEnum
from fractions import Fraction
from typing import Any

from grader.yamlfile import nodes, quantities
from grader.yamlfile.nodes import Broken, Scalar, Sequence
from grader.yamlfile.source import CONTROL, shown
from grader.yamlfile.table import Fields, KeyKind, KeyTable, open_fields

_WORD = {"type": ["string", "number", "boolean"]}
_NUMBER = r"([0-9]+(\.[0-9]+)?|\.[0-9]+)"
_MOST_DIGITS = 60
"""More than numbers of a file, and their sums, have."""


def _text(fields: Fields, name: str) -> str | None:
    """Return a text without blanks around it; numbers count as they are written."""
    scalar = fields.scalar(name)
    if scalar is None:
        return None
    if scalar.value is None or not scalar.text.strip():
        fields.misfit(name, scalar)
        return None
    if CONTROL.search(scalar.text):
        fields.report(name, f"`{name}` holds a control character")
        return None
    return scalar.text.strip()


def _boolean(fields: Fields, name: str) -> bool | None:
    scalar = fields.scalar(name)
    if scalar is None or isinstance(scalar.value, bool):
        return scalar.value if scalar is not None else None  # type: ignore[return-value]  # its type is checked here
    fields.misfit(name, scalar)
    return None


def _names(fields: Fields, name: str) -> list[Scalar]:
    """Return the scalars of a list, or a single one as a list of one."""
    node = fields.node(name)
    if node is None:
        return []
    parts = node.items if isinstance(node, Sequence) else (node,)
    scalars = [n for n in parts if isinstance(n, Scalar) and n.value is not None]
    for other in parts:
        if other not in scalars and not isinstance(other, Broken):
            fields.misfit(name, other)
    return scalars


def _mapping(fields: Fields, name: str) -> nodes.Mapping | None:
    node = fields.node(name)
    if node is None or isinstance(node, nodes.Mapping):
        return node
    example = fields.table.key(name).example
    fields.misfit(name, node, f"such as `{name}: {example}`" if example.startswith("{") else "")
    return None


def _items(fields: Fields, name: str) -> tuple[nodes.Node, ...] | None:
    node = fields.node(name)
    if isinstance(node, Sequence):
        if not node.items:
            fields.report(name, f"`{name}` is empty")
        return node.items
    if node is not None:
        fields.misfit(name, node, _as_items(node))
    return None


def _as_items(node: nodes.Node) -> str:
    """Return a hint on a mapping where a list of mappings belongs."""
    if not isinstance(node, nodes.Mapping) or not node.pairs:
        return "begin each item with `- `"
    first = shown(node.pairs[0][0].text)
    if all(isinstance(value, nodes.Mapping) for _, value in node.pairs):
        return f"begin each item with `- ` instead of a name such as `{first}:`"
    return f"begin each item with `- `, such as `- {first}: …`"


TEXT = KeyKind("a text", "text", _text, _WORD)
PATH = KeyKind("a path", "path, relative to the spec's folder", _text, {"type": "string"})
BOOLEAN = KeyKind("true or false", "`true`, `false`", _boolean, {"type": "boolean"})
NAMES = KeyKind(
    "a name or a list of names",
    "a name or a list of names",
    _names,
    {"type": [*_WORD["type"], "array"], "items": _WORD},
)
MAPPING = KeyKind("a mapping, lines of `key: value`", "mapping", _mapping, {"type": "object"})
LIST = KeyKind("a list", "list, not empty", _items, {"type": "array", "minItems": 1})


def texts(check: Callable[[Fields, str, Scalar], bool], values: str) -> KeyKind:
    """Return the kind of one text or several; its value is a tuple of those that a check accepts, each once.

    check: reports the text of a key that it refuses.
    """

    def read(fields: Fields, name: str) -> tuple[str, ...]:
        found = [scalar.text for scalar in _names(fields, name) if check(fields, name, scalar)]
        if not found and not fields.reporter.found_any:
            fields.report(name, f"`{name}` is empty")
        return tuple(dict.fromkeys(found))

    return KeyKind(NAMES.must_be, values, read, NAMES.schema)


def mapping_of(kind: KeyKind, values: str) -> KeyKind:
    """Return the kind of a mapping from names to values of a kind, which its decoder reads one by one."""
    return KeyKind(MAPPING.must_be, values, _mapping, {**MAPPING.schema, "additionalProperties": kind.schema})


def written(must_be: str, values: str, schema: Mapping[str, Any]) -> KeyKind:
    """Return the kind of a scalar that is read as it is written, such as a Python expression."""
    return KeyKind(must_be, values, Fields.scalar, schema)


def matching(pattern: re.Pattern[str], expected: str, values: str, must_be: str = "") -> KeyKind:
    """Return the kind of a text that the pattern matches whole.  must_be: said of lists and mappings."""

    def read(fields: Fields, name: str) -> str | None:
        text = _text(fields, name)
        if text is None or pattern.fullmatch(text):
            return text
        fields.report(name, f"`{name}` must be {expected}, not `{shown(text)}`")
        return None

    return KeyKind(must_be or expected, values, read, _WORD)


def choice(words: type[StrEnum] | Iterable[str], meant: Mapping[str, str] | None = None) -> KeyKind:
    """Return the kind of one of several words; of an enumeration, its member is the value.

    meant: other words that people write, each with the word that is meant.
    """
    choices = [str(word) for word in words]
    expected = f"one of {', '.join(choices)}" if len(choices) > 1 else choices[0]

    def read(fields: Fields, name: str) -> str | None:
        text = _text(fields, name)
        if text is None or text in choices:
            return words(text) if text is not None and isinstance(words, type) else text
        message = f"`{name}` must be {expected}, not `{shown(text)}`"
        other = (meant or {}).get(text.casefold())
        hint = f"did you mean `{other}`?" if other else fields.reporter.nearest(text, choices)
        fields.report(name, message, hint)
        return None

    return KeyKind(expected, ", ".join(f"`{word}`" for word in choices), read, {"enum": choices})


def quantity(
    must_be: str,
    values: str,
    parse: Callable[[str], Any],
    schema: Mapping[str, Any],
    hint: str = "",
    meant: Callable[[str], str] | None = None,
) -> KeyKind:
    """Return the kind that a function of `grader.yamlfile.quantities` parses.

    meant: returns the text that a wrong one seems to mean, or an empty one.
    """

    def read(fields: Fields, name: str) -> Any:
        scalar = fields.scalar(name)
        if scalar is None:
            return None
        value = parse(scalar.text.strip())
        if value is None:
            proposal = meant(scalar.text) if meant is not None else ""
            fields.misfit(name, scalar, f"did you mean `{proposal}`?" if proposal else hint)
        return value

    return KeyKind(must_be, values, read, schema)


NUMBER = quantity(
    "a number such as 2 or 0.5",
    "number from 0",
    quantities.decimal,
    {"type": ["number", "string"], "minimum": 0, "pattern": f"^{_NUMBER}$"},
    meant=quantities.number_meant,
)
INTEGER = quantity(
    "a whole number",
    "whole number",
    quantities.integer,
    {"type": ["integer", "string"], "pattern": "^-?[0-9]+$"},
)
DURATION = quantity(
    "a duration such as 500ms, 30s or 2min",
    "duration",
    quantities.duration_s,
    {"type": ["number", "string"], "minimum": 0, "pattern": f"^{_NUMBER} *(ms|s|min|h)?$"},
    hint="units: ms, s, min, h; a plain number counts seconds",
    meant=quantities.duration_meant,
)
SIZE = quantity(
    "a size such as 64KiB, 512MiB or 1GiB",
    "size",
    quantities.size_b,
    {"type": ["number", "string"], "minimum": 0, "pattern": f"^{_NUMBER} *(B|KiB|MiB|GiB)?$"},
    hint="units: B, KiB, MiB, GiB; a plain number counts bytes",
    meant=quantities.size_meant,
)


def more_than_0(kind: KeyKind, values: str) -> KeyKind:
    """Return the same kind for quantities greater than 0."""
    return kind.bounded(lambda value: value > 0, "must be greater than 0", values)


def within(kind: KeyKind, least: Any, most: Any, shown_least: str = "", shown_most: str = "") -> KeyKind:
    """Return the same kind for quantities between two bounds, which messages can show in other words."""
    low, high = shown_least or str(least), shown_most or str(most)
    problem = f"must lie between {low} and {high}"
    unit = f"{kind.values}, {low} to {high}"
    return kind.bounded(lambda value: bool(least <= value <= most), problem, unit)


POSITIVE = more_than_0(NUMBER, "number, more than 0")


def ref(table: KeyTable) -> dict[str, str]:
    """Return a reference to the JSON Schema of a table."""
    return {"$ref": f"#/$defs/{slug(table)}"}


def slug(table: KeyTable) -> str:
    """Return a table's name in a JSON Schema and in the marks of a page: its title in letters and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", table.title.casefold()).strip("-")


def inner(table: KeyTable, values: str = "mapping") -> KeyKind:
    """Return the kind of a mapping with a table of its own; its value is the opened `Fields`."""

    def read(fields: Fields, name: str) -> Fields | None:
        node = _mapping(fields, name)
        return open_fields(node, table, fields.reporter) if node is not None else None

    return KeyKind(MAPPING.must_be, values, read, ref(table))


def each(table: KeyTable, values: str = "list of mappings, not empty") -> KeyKind:
    """Return the kind of a list of such mappings; a mapping that was reported is None in its value."""

    def read(fields: Fields, name: str) -> list[Fields | None] | None:
        items = _items(fields, name)
        return None if items is None else [open_fields(item, table, fields.reporter) for item in items]

    return KeyKind(LIST.must_be, values, read, {**LIST.schema, "items": ref(table)})


def named(table: KeyTable, values: str = "name: mapping") -> KeyKind:
    """Return the kind of a mapping from names to such mappings; its value is pairs of name and `Fields`."""

    def read(fields: Fields, name: str) -> list[tuple[Scalar, Fields | None]] | None:
        node = _mapping(fields, name)
        if node is None:
            return None
        return [(key, open_fields(value, table, fields.reporter)) for key, value in node.pairs]

    return KeyKind(MAPPING.must_be, values, read, {**MAPPING.schema, "additionalProperties": ref(table)})


def or_mapping(kind: KeyKind, table: KeyTable, must_be: str, values: str) -> KeyKind:
    """Return the kind of a value that can also be a mapping; its value is then the opened `Fields`."""

    def read(fields: Fields, name: str) -> Any:
        node = fields.node(name)
        if isinstance(node, nodes.Mapping):
            return open_fields(node, table, fields.reporter)
        return kind.read(fields, name) if node is not None else None

    return KeyKind(must_be, values, read, {"anyOf": [kind.schema, ref(table)]})


def marks(value: Fraction) -> str:
    """Return marks as people write them, exactly where they are a decimal number, as marks of a file are."""
    digits = Context(prec=_MOST_DIGITS)
    found = digits.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{float(value):.12g}" if digits.flags[Inexact] else f"{found:f}"
