"""The names of `over` and the values that each of them takes in turn."""

import math
from dataclasses import dataclass

from grader.spec.expressions.bounds import MAX_CALLS_OF_SPEC
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Sized, Unusable, sized
from grader.spec.expressions.literals import literal
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.of_yaml import refuse_split_expression, sized_value_of
from grader.yamlfile.nodes import Node, Scalar
from grader.yamlfile.source import Span
from grader.yamlfile.table import Fields

MAX_CALLS = 10_000
"""Calls of one case."""

_LONGEST_TEXT = 60


@dataclass(frozen=True, slots=True)
class Loop:
    """One name of `over`; `text` shows its values to people."""

    name: str
    values: tuple[Sized, ...]
    text: str
    span: Span


def decode_over(case: Fields, context: Context, taken: dict[str, str]) -> list[Loop]:
    """Return the loops of a case in the order of the spec.  Raises Unusable where one is wrong."""
    node = case.mapping("over")
    if node is None:
        raise Unusable
    refuse_split_expression(context, node)
    if not node.pairs:
        case.report("over", "`over` names nothing", "such as {x: range(5)}")
        raise Unusable
    loops: list[Loop] = []
    for key, value in node.pairs:
        if not check_new_name(key, taken, context.reporter):
            continue
        try:
            loops.append(_loop(key, value, context))
        except Unusable:
            continue
    if len(loops) < len(node.pairs):
        raise Unusable
    calls = math.prod(len(loop.values) for loop in loops)
    if calls > MAX_CALLS:
        message = f"`over` makes {calls:,} calls; a case can have at most {MAX_CALLS:,}"
        context.reporter.report(case.key_span("over"), message)
        raise Unusable
    if not context.allowance.spend_calls(calls):
        message = f"with this, the cases make more than {MAX_CALLS_OF_SPEC:,} calls together"
        context.reporter.report(case.key_span("over"), message)
        raise Unusable
    return loops


def _loop(key: Scalar, node: Node, context: Context) -> Loop:
    value, _ = sized_value_of(context, node)
    if not isinstance(value, range | list | tuple):
        message = f"`{key.text}` must run over a range or a list"
        context.reporter.report(node.span, message, "such as range(5) or [1, 2, 3]")
        raise Unusable
    if not value:
        context.reporter.report(node.span, f"`{key.text}` has no values, so nothing would be called")
        raise Unusable
    text = " ".join(node.text.split()) if isinstance(node, Scalar) else literal(value)
    if len(text) > _LONGEST_TEXT:
        text = f"{len(value)} values"
    return Loop(key.text, tuple(map(sized, value)), text, key.span)
