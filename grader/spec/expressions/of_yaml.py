"""Turns YAML nodes into Python values; every decoder uses it.

Numbers, true, false and null of YAML stand for themselves; a text is a Python expression.
Lists and mappings of YAML become lists and dicts, and their parts follow the same rule; but a mapping with
`from` names a file.
"""

import ast

from grader.model.values import Value
from grader.spec.expressions.bounds import MAX_INTEGER_BITS, ValueSize
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Evaluator, Names, Sized
from grader.spec.expressions.from_file import is_from_file, value_from_file
from grader.spec.expressions.parse import Expression, parse
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar, Sequence
from grader.yamlfile.source import Span
from grader.yamlfile.table import is_cut
from grader.yamlfile.unusable import Unusable, collecting


def evaluate(context: Context, expression: Expression, node: ast.expr, names: Names) -> Sized:
    """Return the value of a part of an expression and its size.  Raises Unusable."""
    _spend(context, 1, expression.span(node))
    value, size = Evaluator(expression, names, context.reporter, context.types).value(node)
    _spend(context, size.items, expression.span(node))
    return value, size


def value_of(context: Context, node: Node) -> Value:
    """Return the value that a YAML node stands for.  Raises Unusable."""
    return sized_value_of(context, node)[0]


def sized_value_of(context: Context, node: Node) -> Sized:
    """Return the value that a YAML node stands for, and its size.  Raises Unusable."""
    if isinstance(node, Scalar):
        return _scalar(context, node)
    if isinstance(node, Broken):
        raise Unusable
    if isinstance(node, Mapping) and is_from_file(node):
        value, size = value_from_file(context, node)
        _spend(context, size.items, node.span)
        return value, size
    refuse_split_expression(context, node)
    return _list(context, node) if isinstance(node, Sequence) else _dict(context, node)


def refuse_split_expression(context: Context, node: Sequence | Mapping) -> None:
    """Report an expression such as `[(1, 2)]` without quotes, which YAML splits.  Raises Unusable."""
    if not node.flow:
        return
    if isinstance(node, Sequence):
        parts: tuple[Node, ...] = node.items
    else:
        parts = tuple(part for pair in node.pairs for part in pair)
    if any(isinstance(part, Scalar) and is_cut(part) for part in parts):
        message = "YAML splits this at its commas before Python sees it"
        context.reporter.report(node.span, message, "put the whole expression in quotes")
        raise Unusable


def _spend(context: Context, items: int, place: Span) -> None:
    if context.value_budget.spend(items):
        return
    if context.value_budget.first_refusal():
        hint = "give fewer or smaller values, or fewer combinations in `over`"
        message = "with this, all values of the spec together are too large"
        context.reporter.report(place, message, hint)
    raise Unusable


def _scalar(context: Context, scalar: Scalar) -> Sized:
    value = scalar.value
    if scalar.empty:
        context.reporter.report(scalar.span, "a value is missing here", "write None for nothing")
        raise Unusable
    if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:
        context.reporter.report(scalar.span, f"this number has more than {MAX_INTEGER_BITS:,} bits")
        raise Unusable
    if not isinstance(value, str):
        return value, ValueSize(0, 0, 0)
    expression = parse(scalar, context.reporter)
    return evaluate(context, expression, expression.tree, context.names)


def _parts(context: Context, node: Node, parts: tuple[Node, ...]) -> tuple[list[Value], ValueSize]:
    """Evaluate all parts of a node, so that the mistakes of each are reported."""
    values: list[Value] = []
    total = ValueSize(len(parts), 0, 0)
    with collecting() as take:
        for part in parts:
            value, size = take(sized_value_of, context, part) or (None, ValueSize(0, 0, 0))
            values.append(value)
            total = total.plus(size)
            if excess := total.excess():
                context.reporter.report(node.span, excess)
                raise Unusable
    return values, ValueSize(total.items, total.text, total.depth + 1)


def _list(context: Context, node: Sequence) -> Sized:
    return _parts(context, node, node.items)


def _dict(context: Context, node: Mapping) -> Sized:
    parts, size = _parts(context, node, tuple(part for pair in node.pairs for part in pair))
    result: dict[Value, Value] = {}
    for (key, _), name, value in zip(node.pairs, parts[::2], parts[1::2], strict=True):
        try:
            repeated = name in result
        except TypeError:
            context.reporter.report(key.span, "a list, a dict or a set can't be a key", "use a tuple")
            raise Unusable from None
        if repeated:
            context.reporter.report(key.span, "this key is in the dict already")
            raise Unusable
        result[name] = value
    return result, size
