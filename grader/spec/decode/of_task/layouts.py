"""Boards written as compact text: the meaning of each token, and the value of the whole.

    layouts:
      board:
        legend: {r4: "Pawn((x, y), Red, 4)", K1: "King((x, y), Wht, 1)"}
        empty: "."
        value: Board(frozenset(cells))
    let:
      start:
        layout: board
        rows: |
          r4 .  .
          .  .  K1

A layout is a rule; a value of `let` applies it to rows.  Each token of the legend is an expression
over `x` and `y`, its cell's coordinates, and the names of `let` before it.
"""

import re
from dataclasses import dataclass, replace

from grader.model.values import Value
from grader.spec.expressions.bounds import ValueSize
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Names, Sized, sized
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.of_yaml import evaluate
from grader.spec.expressions.parse import Expression, SourceMap, parse
from grader.spec.keys.task import BOARD_SIZE, LAYOUT_USE
from grader.yamlfile.nodes import Mapping, Node, Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, opened
from grader.yamlfile.unusable import Unusable, collecting, if_usable

_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Layout:
    """A rule that makes a value of rows of tokens.

    legend: the expression for each token; None if it was reported.
    empty: tokens of cells without a value.
    first: the coordinate, in both directions, of the cell in the corner that is the origin.
    from_bottom: the origin is the left corner at the bottom, else at the top.
    size: columns and rows that it must have; None for any.
    value: the expression for the whole; None for the rows as a list of lists.
    reporter: for mistakes in these expressions, which may stand in an included file.
    """

    legend: dict[str, Expression | None]
    empty: frozenset[str]
    first: int
    from_bottom: bool
    size: tuple[int, int] | None
    value: Expression | None
    reporter: Reporter


@dataclass(frozen=True, slots=True)
class _Token:
    """A token and its place in the text of the rows."""

    text: str
    start: int
    end: int


def decode_layouts(fields: Fields, context: Context) -> dict[str, Layout]:
    """Return the layouts by name, without those that can't be used."""
    found: dict[str, Layout] = {}
    for key, inner in fields["layouts"]:
        if inner is not None and check_new_name(key, {}, context.reporter):
            found[key.text] = _layout(inner, context)
    return found


def _layout(fields: Fields, context: Context) -> Layout:
    legend: dict[str, Expression | None] = {}
    node: Mapping | None = fields["legend"]
    for key, value in node.pairs if node is not None else ():
        if not _TOKEN.fullmatch(key.text):
            message = f"`{shown(key.text)}` can't be a token: it is empty or holds blanks"
            context.reporter.report(key.span, message)
        elif not isinstance(value, Scalar):
            context.reporter.report(value.span, "a token's value must be a Python expression")
        else:
            legend[key.text] = if_usable(parse, value, context.reporter)
    for scalar in fields["empty"]:
        if scalar.text in legend:
            context.reporter.report(scalar.span, f"`{shown(scalar.text)}` is in the legend too")
    whole: Scalar | None = fields["value"]
    return Layout(
        legend=legend,
        empty=frozenset(scalar.text for scalar in fields["empty"]),
        first=fields["first"],
        from_bottom=fields["origin"] == "bottom-left",
        size=_size(fields),
        value=if_usable(parse, whole, context.reporter) if whole is not None else None,
        reporter=context.reporter,
    )


def _size(fields: Fields) -> tuple[int, int] | None:
    match = BOARD_SIZE.fullmatch(fields["size"] or "")
    return (int(match[1]), int(match[2])) if match else None


def value_by_layout(node: Node, layouts: dict[str, Layout], context: Context) -> Sized:
    """Return the value that a layout makes of rows.  Raises Unusable."""
    fields = opened(node, LAYOUT_USE, context.reporter)
    name, scalar = fields["layout"], fields["rows"]
    if name is not None and name not in layouts:
        hint = context.reporter.nearest_or_all(name, layouts)
        fields.report("layout", f"there is no layout `{shown(name)}`", hint)
    if name is None or name not in layouts or scalar is None:
        raise Unusable
    return _Board(layouts[name], scalar, context).value()


class _Board:
    """One use of a layout."""

    def __init__(self, layout: Layout, scalar: Scalar, context: Context) -> None:
        self._layout = layout
        self._context = context
        self._scalar = scalar
        self._place = SourceMap(context.reporter.source, scalar)

    def value(self) -> Sized:
        """Return the value of the whole.  Raises Unusable."""
        rows = self._tokens()
        self._check_shape(rows)
        cells: list[Value] = []
        table: list[Value] = []
        with collecting() as take:
            for number, row in enumerate(rows):
                y = self._layout.first + (len(rows) - 1 - number if self._layout.from_bottom else number)
                values = [take(self._cell, token, x, y) for x, token in enumerate(row, self._layout.first)]
                cells += [
                    value
                    for token, value in zip(row, values, strict=True)
                    if token.text not in self._layout.empty
                ]
                table.append(values)
        return self._whole(cells, table)

    def _tokens(self) -> list[list[_Token]]:
        rows: list[list[_Token]] = []
        start = 0
        for line in self._scalar.text.split("\n"):
            tokens = [_Token(m[0], start + m.start(), start + m.end()) for m in _TOKEN.finditer(line)]
            if tokens:
                rows.append(tokens)
            start += len(line) + 1
        if not rows:
            self._context.reporter.report(self._scalar.span, "`rows` holds no row")
            raise Unusable
        return rows

    def _check_shape(self, rows: list[list[_Token]]) -> None:
        width, height = self._layout.size or (len(rows[0]), len(rows))
        for number, row in enumerate(rows, 1):
            if len(row) != width:
                message = f"row {number} has {_cells(len(row))}, not {width}"
                self._report(_Token("", row[0].start, row[-1].end), message)
        if len(rows) != height:
            message = f"there are {len(rows)} rows, not {height}"
            self._context.reporter.report(self._scalar.span, message)

    def _cell(self, token: _Token, x: int, y: int) -> Value:
        if token.text in self._layout.empty:
            return None
        if token.text not in self._layout.legend:
            known = [*self._layout.legend, *sorted(self._layout.empty)]
            hint = self._context.reporter.nearest_or_all(token.text, known)
            self._report(token, f"`{shown(token.text)}` is not in the layout's legend", hint)
            raise Unusable
        expression = self._layout.legend[token.text]
        if expression is None:
            raise Unusable
        return self._evaluated(expression, {"x": sized(x), "y": sized(y)})[0]

    def _whole(self, cells: list[Value], table: list[Value]) -> Sized:
        row = table[0]
        width, height = len(row) if isinstance(row, list) else 0, len(table)
        if self._layout.value is None:
            return sized(table)
        counts = {"width": (width, ValueSize(0, 0, 0)), "height": (height, ValueSize(0, 0, 0))}
        return self._evaluated(self._layout.value, {"cells": sized(cells), "rows": sized(table), **counts})

    def _evaluated(self, expression: Expression, own: Names) -> Sized:
        names = {**self._context.names, **own}
        context = replace(self._context, reporter=self._layout.reporter)
        return evaluate(context, expression, expression.tree, names)

    def _report(self, token: _Token, message: str, hint: str = "") -> None:
        self._context.reporter.report(self._place.span(token.start, token.end), message, hint)


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
