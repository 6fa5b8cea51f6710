"""Values from files beside the spec: `{from: words.json}`.

A file is read as data, by its ending or by `as`, and never run.  Its bytes are part of the spec's digest.
"""

import csv
import io
import json
from collections.abc import Callable
from typing import NoReturn

from grader.model.values import Value
from grader.spec.expressions.bounds import MAX_INTEGER_BITS, size_of
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Evaluator, Sized
from grader.spec.expressions.parse import parse
from grader.spec.keys.values import VALUE_FILE
from grader.spec.reference.files import MAX_FILE_B, lies_inside, read_attached
from grader.yamlfile.nodes import Mapping, Scalar
from grader.yamlfile.source import Source, Span, shown
from grader.yamlfile.table import open_fields
from grader.yamlfile.unusable import Unusable

_BY_ENDING = {".json": "json", ".txt": "text", ".csv": "rows", ".py": "python"}
_LONGEST_DIGITS = MAX_INTEGER_BITS * 3 // 10


def is_from_file(node: Mapping) -> bool:
    """Tell whether a mapping names a file: the keys of a dict are expressions, and `from` is none."""
    return any(key.text == "from" for key, _ in node.pairs)


def value_from_file(context: Context, node: Mapping) -> Sized:
    """Return the value that a file holds, and its size.  Raises `Unusable`."""
    fields = open_fields(node, VALUE_FILE, context.reporter)
    if fields is None or fields["from"] is None or (fields["as"] is None and fields.has("as")):
        raise Unusable
    name: str = fields["from"]
    kind = fields["as"] or _BY_ENDING.get(name[name.rfind(".") :])
    if kind is None:
        hint = f"name a file that ends in {', '.join(_BY_ENDING)}, or say how it is read with `as`"
        fields.report("from", f"how to read `{shown(name)}` is not known by its ending", hint)
        raise Unusable
    if not lies_inside(fields, "from", context.attached):
        raise Unusable
    content = read_attached(fields, "from", context.attached)
    if content is None:
        raise Unusable
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        fields.report("from", f"{shown(name)} is not UTF-8 text")
        raise Unusable from None
    return _File(context, Source(str(context.attached.path / name), text)).value(kind)


class _File:
    """A file with its text, in which mistakes are reported."""

    def __init__(self, context: Context, source: Source) -> None:
        self._context = context
        self._source = source

    def value(self, kind: str) -> Sized:
        """Return the value, read in one of the ways of `VALUE_FILE`.  Raises `Unusable`."""
        if kind == "python":
            return self._python()
        readers: dict[str, Callable[[], Value]] = {"json": self._json, "rows": self._rows}
        value = readers[kind]() if kind in readers else self._lines(whole=kind == "text")
        size = size_of(value)
        if excess := size.excess():
            self._refuse(0, excess)
        return value, size

    def _refuse(self, start: int, message: str) -> NoReturn:
        self._context.reporter.report(Span(start, start + 1), message, source=self._source)
        raise Unusable

    def _lines(self, *, whole: bool) -> Value:
        """Return the text as `open(...).read()` gives it, or its lines without their ends."""
        lines = io.StringIO(self._source.text, newline=None).read()
        return lines if whole else lines.removesuffix("\n").split("\n") if lines else []

    def _rows(self) -> Value:
        reader = csv.reader(io.StringIO(self._source.text, newline=""), strict=True)
        try:
            return list(reader)
        except csv.Error as error:
            self._refuse(self._source.offset(reader.line_num, 1), f"this is not CSV: {error}")

    def _json(self) -> Value:
        try:
            value: Value = json.loads(
                self._source.text, object_pairs_hook=_without_repeats, parse_int=_bounded_integer
            )
        except json.JSONDecodeError as error:
            self._refuse(error.pos, f"this is not JSON: {error.msg}")
        except (ValueError, RecursionError) as error:
            self._refuse(0, str(error) if isinstance(error, ValueError) else "this JSON is nested too deep")
        return value

    def _python(self) -> Sized:
        reporter = self._context.reporter.beside(self._source)
        text = self._source.text
        scalar = Scalar(Span(0, len(text), self._source), text)
        expression = parse(scalar, reporter, longest=MAX_FILE_B)
        evaluator = Evaluator(expression, self._context.names, reporter, self._context.types)
        return evaluator.value(expression.tree)


def _without_repeats(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    found = dict(pairs)
    if len(found) < len(pairs):
        repeated = next(name for number, (name, _) in enumerate(pairs) if name in dict(pairs[:number]))
        raise ValueError(f"the key {shown(repeated)} is in one JSON object twice")
    return found


def _bounded_integer(digits: str) -> int:
    if len(digits) > _LONGEST_DIGITS:
        raise ValueError(f"a number has more than {_LONGEST_DIGITS:,} digits")
    return int(digits)
