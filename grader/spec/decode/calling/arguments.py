"""The arguments of a call as the spec writes them: values, shipped lambdas, watched callbacks."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from grader.model.case import Argument, Bound, Shipped, Watched
from grader.model.values import Value
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Names
from grader.spec.expressions.lambdas import lambda_source
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.of_yaml import evaluate, refuse_split_expression, value_of
from grader.spec.expressions.parse import Expression, parse
from grader.spec.expressions.scope import Scope
from grader.values.python_text import literal
from grader.values.sort import plugin_sorts, sort_of
from grader.values.walk import parts
from grader.yamlfile import nodes
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting, if_usable


@dataclass(frozen=True, slots=True)
class Callback:
    """One name of `watch`.

    watched: None for a callback that was reported.
    calls: the argument tuples with which the callback must have been called; None for any calls.
    span: the place of its name.
    """

    watched: Watched | None
    calls: tuple[tuple[Value, ...], ...] | None
    span: Span


def decode_watch(case: Fields, context: Context) -> dict[str, Callback]:
    """Return the callbacks that a case declares, by name."""
    node = case.node("watch")
    try:
        if isinstance(node, nodes.Mapping):
            refuse_split_expression(context, node)
    except Unusable:
        return {}
    taken = context.taken()
    found: dict[str, Callback] = {}
    for key, fields in case["watch"] or ():
        watched, calls = None, None
        if fields is not None:
            watched = if_usable(_answer, fields, key.text, context)
            calls = if_usable(_calls, fields, context)
        if check_new_name(key, taken, context.reporter):
            found[key.text] = Callback(watched, calls, key.span)
    return found


def _answer(fields: Fields, name: str, context: Context) -> Watched:
    expression = parse(fields.needed("answer"), context.reporter)
    if not isinstance(expression.tree, ast.Lambda):
        fields.report("answer", "`answer` must be a lambda", "such as lambda x: x * 10")
        raise Unusable
    source = lambda_source(expression, expression.tree, context.names, context.reporter, context.types)
    return Watched(name, source)


def _calls(fields: Fields, context: Context) -> tuple[tuple[Value, ...], ...] | None:
    """Return the expected calls: from `calls` with one argument each, or from `args` with several.

    None for any calls.
    """
    if fields.has("calls") and fields.has("args"):
        fields.report_key("args", "give either `calls` or `args`, not both")
        raise Unusable
    if fields.has("calls"):
        return tuple((value,) for value in _list(fields, "calls", context))
    if not fields.has("args"):
        return None
    calls = _list(fields, "args", context)
    if not all(isinstance(call, list | tuple) for call in calls):
        hint = "for callbacks of one argument there is `calls`"
        fields.report("args", "each item of `args` must be a list of arguments", hint)
        raise Unusable
    return tuple(tuple(call) for call in calls if isinstance(call, list | tuple))


def _list(fields: Fields, name: str, context: Context) -> list[Value]:
    value = value_of(context, fields.needed(name))
    if isinstance(value, list | tuple):
        return list(value)
    fields.report(name, f"`{name}` must be a list", "in the order of the calls; [] for none at all")
    raise Unusable


NOWHERE = Scope(is_complete=True)
"""The scope of expressions that know no module."""

MAX_REPLACED = 200
MAX_REPLACED_RECORD = 1000
"""The most characters of a value that replaces a name in a text; a board takes many."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An argument of one call, and Python text for it; None where the text would be long."""

    value: Argument
    text: str | None


@dataclass(frozen=True, slots=True)
class WrittenArgument:
    """An argument as it is written, before the names of `over` have values."""

    keyword: str
    node: ast.expr
    place: ast.AST
    text: str
    names: frozenset[str]
    scope: Scope = NOWHERE

    def labelled(self, text: str) -> str:
        """Return the argument's text with its keyword, if it has one."""
        return f"{self.keyword}={text}" if self.keyword else text


def written_arguments(
    context: Context, expression: Expression, call: ast.Call, scope: Scope = NOWHERE
) -> list[WrittenArgument]:
    """Return the arguments of a call in their order.  Raises Unusable for `*` and `**`."""
    written: list[WrittenArgument] = []
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
        written.append(written_part(node, scope, keyword, place))
    if len(written) < len(parts):
        raise Unusable
    return written


def written_part(
    node: ast.expr, scope: Scope, keyword: str = "", place: ast.AST | None = None
) -> WrittenArgument:
    """Return a part of an expression as an argument."""
    names = frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
    return WrittenArgument(keyword, node, place or node, ast.unparse(node), names, scope)


def prepare(
    context: Context,
    expression: Expression,
    written: WrittenArgument,
    names: Names,
    callbacks: Mapping[str, Callback],
) -> Ready:
    """Return an argument with values for all its names.  Raises Unusable."""
    node = written.node
    if isinstance(node, ast.Lambda):
        beyond = written.scope.beyond(node, {*names, *context.types})
        source = lambda_source(expression, node, names, context.reporter, context.types, beyond)
        return Ready(Shipped(source, tuple(sorted(beyond))), source)
    if isinstance(node, ast.Name) and node.id in written.scope.kept:
        return Ready(Bound(node.id), node.id)
    if isinstance(node, ast.Name) and node.id in callbacks:
        watched = callbacks[node.id].watched
        if watched is None:
            raise Unusable
        return Ready(watched, watched.source)
    value, size = evaluate(context, expression, node, names)
    _refuse_foreign(context, expression, node, value)
    if written.names.isdisjoint(names):
        return Ready(value, written.text)
    short = size.items + size.text <= longest_text(context)
    return Ready(value, literal(value) if short else None)


def longest_text(context: Context) -> int:
    """Return how long a text may become when values replace its names."""
    return MAX_REPLACED_RECORD if context.types else MAX_REPLACED


def plain_arguments(
    context: Context, expression: Expression, call: ast.Call
) -> list[tuple[WrittenArgument, Value]]:
    """Return the arguments of a call that takes plain values and names of `let`.  Raises Unusable."""
    with collecting() as take:
        return [
            (written, take(_plain_value, context, expression, written.node))
            for written in written_arguments(context, expression, call)
        ]


def _plain_value(context: Context, expression: Expression, node: ast.expr) -> Value:
    if isinstance(node, ast.Lambda):
        context.reporter.report(expression.span(node), "a lambda can't be handed to a checker")
        raise Unusable
    value = evaluate(context, expression, node, context.names)[0]
    _refuse_foreign(context, expression, node, value)
    return value


def _refuse_foreign(context: Context, expression: Expression, node: ast.expr, value: Value) -> None:
    """Report an argument with a value of a plugin's sort, which crosses to no box.  Raises Unusable."""
    names = {sort: name for name, sort in plugin_sorts().items()}
    sorts = map(sort_of, parts(value)) if names else ()
    found = next((names[sort] for sort in sorts if sort in names), "")
    if found:
        message = f"a value of `{found}` is for what is expected; a call takes plain data"
        context.reporter.report(expression.span(node), message)
        raise Unusable
