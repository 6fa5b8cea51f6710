"""Watched callbacks: what answers them, and what they must have been called with."""

import ast
from dataclasses import dataclass

from grader.model.case import Watched
from grader.model.values import Value
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Unusable
from grader.spec.expressions.lambdas import lambda_source
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.of_yaml import refuse_split_expression, value_of
from grader.spec.expressions.parse import parse
from grader.spec.keys import WATCH
from grader.yamlfile.source import Span
from grader.yamlfile.table import Fields, open_fields


@dataclass(frozen=True, slots=True)
class Callback:
    """One name of `watch`.

    watched: None where it was reported.
    calls: the argument tuples that it must have been called with; None for any.
    span: where it is named.
    """

    watched: Watched | None
    calls: tuple[tuple[Value, ...], ...] | None
    span: Span


def decode_watch(case: Fields, context: Context) -> dict[str, Callback]:
    """Return the callbacks that a case declares, by name."""
    node = case.mapping("watch")
    if node is None:
        return {}
    try:
        refuse_split_expression(context, node)
    except Unusable:
        return {}
    taken = context.taken()
    found: dict[str, Callback] = {}
    for key, value in node.pairs:
        fields = open_fields(value, WATCH, context.reporter)
        watched, calls = None, None
        if fields is not None:
            watched, calls = _answer(fields, key.text, context), _calls(fields, context)
        if check_new_name(key, taken, context.reporter):
            found[key.text] = Callback(watched, calls, key.span)
    return found


def _answer(fields: Fields, name: str, context: Context) -> Watched | None:
    scalar = fields.scalar("answer")
    expression = parse(scalar, context.reporter) if scalar is not None else None
    if expression is None:
        return None
    if not isinstance(expression.tree, ast.Lambda):
        fields.report("answer", "`answer` must be a lambda", "such as lambda x: x * 10")
        return None
    source = lambda_source(expression, expression.tree, context.names, context.reporter, context.types)
    return Watched(name, source) if source is not None else None


def _calls(fields: Fields, context: Context) -> tuple[tuple[Value, ...], ...] | None:
    """Return the expected calls: from `calls` with one argument each, or from `args` with several."""
    if fields.has("calls") and fields.has("args"):
        context.reporter.report(fields.key_span("args"), "give either `calls` or `args`, not both")
        return None
    if fields.has("calls"):
        return tuple((value,) for value in _list(fields, "calls", context))
    if not fields.has("args"):
        return None
    calls = _list(fields, "args", context)
    if not all(isinstance(call, list | tuple) for call in calls):
        hint = "for callbacks of one argument there is `calls`"
        fields.report("args", "each item of `args` must be a list of arguments", hint)
        return None
    return tuple(tuple(call) for call in calls if isinstance(call, list | tuple))


def _list(fields: Fields, name: str, context: Context) -> list[Value]:
    node = fields.node(name)
    if node is None:
        return []
    try:
        value = value_of(context, node)
    except Unusable:
        return []
    if isinstance(value, list | tuple):
        return list(value)
    fields.report(name, f"`{name}` must be a list", "in the order of the calls; [] for none at all")
    return []
