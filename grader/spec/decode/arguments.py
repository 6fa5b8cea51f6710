"""The arguments of a call as the spec writes them: values, shipped lambdas, watched callbacks."""

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.model.case import Argument, Shipped
from grader.model.values import Value
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Names, Sized, Unusable
from grader.spec.expressions.lambdas import lambda_source
from grader.spec.expressions.literals import literal
from grader.spec.expressions.of_yaml import evaluate, refused_range
from grader.spec.expressions.parse import Expression
from grader.yamlfile.source import shown

if TYPE_CHECKING:
    from grader.spec.decode.callbacks import Callback

MAX_REPLACED = 200
MAX_REPLACED_RECORD = 1000
"""Characters that a value may take where a text shows it in the place of a name; a board takes many."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An argument as it is for one call, and Python text for it; no text where it would be long."""

    value: Argument
    text: str | None


@dataclass(frozen=True, slots=True)
class Written:
    """An argument as it is written, before the names of `over` have values."""

    keyword: str
    node: ast.expr
    place: ast.AST
    text: str
    names: frozenset[str]

    def labelled(self, text: str) -> str:
        """Return the argument's text with its keyword, if it has one."""
        return f"{self.keyword}={text}" if self.keyword else text


def written_arguments(context: Context, expression: Expression, call: ast.Call) -> list[Written]:
    """Return the arguments of a call in their order; report `*` and `**`."""
    written: list[Written] = []
    parts: list[tuple[str, ast.expr, ast.AST]] = [("", node, node) for node in call.args]
    parts += [(keyword.arg or "**", keyword.value, keyword) for keyword in call.keywords]
    for keyword, node, place in parts:
        if isinstance(node, ast.Starred) or keyword == "**":
            message = "`*` and `**` can't unpack arguments here"
            context.reporter.report(expression.span(place), message, "write the arguments out")
            continue
        if any(keyword == other.keyword for other in written if keyword):
            context.reporter.report(expression.span(place), f"`{shown(keyword)}` is given twice")
            continue
        names = frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
        written.append(Written(keyword, node, place, ast.unparse(node), names))
    return written


def prepare(
    context: Context,
    expression: Expression,
    written: Written,
    names: Names,
    callbacks: "Mapping[str, Callback]",
) -> Ready:
    """Return an argument with all its names replaced.  Raises Unusable."""
    node = written.node
    if isinstance(node, ast.Lambda):
        source = lambda_source(expression, node, names, context.reporter, context.types)
        if source is None:
            raise Unusable
        return Ready(Shipped(source), source)
    if isinstance(node, ast.Name) and node.id in callbacks:
        watched = callbacks[node.id].watched
        if watched is None:
            raise Unusable
        return Ready(watched, watched.source)
    if not written.names.isdisjoint(callbacks):
        raise _refused_callbacks(context, expression, node, callbacks)
    value, extent = _compared(context, expression, node, names)
    if written.names.isdisjoint(names):
        return Ready(value, written.text)
    short = extent.items + extent.text <= longest_text(context)
    return Ready(value, literal(value) if short else None)


def longest_text(context: Context) -> int:
    """Return how long a text may get by values in the place of names."""
    return MAX_REPLACED_RECORD if context.types else MAX_REPLACED


def _refused_callbacks(
    context: Context, expression: Expression, node: ast.expr, callbacks: Collection[str]
) -> Unusable:
    """Report callbacks that stand inside a value; return what to raise."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in callbacks:
            message = f"`{shown(part.id)}` is a watched callback; it can only be an argument of its own"
            context.reporter.report(expression.span(part), message)
    return Unusable()


def plain_arguments(context: Context, expression: Expression, call: ast.Call) -> list[tuple[Written, Value]]:
    """Return the arguments of a call that takes values alone, and knows only `let`.  Raises Unusable."""
    found: list[tuple[Written, Value]] = []
    for written in written_arguments(context, expression, call):
        try:
            found.append((written, _plain_value(context, expression, written.node)))
        except Unusable:
            continue
    if len(found) < len(call.args) + len(call.keywords):
        raise Unusable
    return found


def _plain_value(context: Context, expression: Expression, node: ast.expr) -> Value:
    if isinstance(node, ast.Lambda):
        context.reporter.report(expression.span(node), "a lambda can't be handed to a checker")
        raise Unusable
    return _compared(context, expression, node, context.names)[0]


def _compared(context: Context, expression: Expression, node: ast.expr, names: Names) -> Sized:
    """Return a value that can be compared, which a range is not, and its extent.  Raises Unusable."""
    value, extent = evaluate(context, expression, node, names)
    if isinstance(value, range):
        raise refused_range(context, expression.span(node))
    return value, extent
