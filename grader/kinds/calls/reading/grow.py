"""The key `grow`: a call with growing inputs, the growth of whose time is looked at."""

import ast
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from time import thread_time
from typing import TYPE_CHECKING, Any, cast

from grader.kinds.calls.reading.given import (
    CaseReader,
    answer_text,
    check_uses,
    expressions_of,
)
from grader.model.case import Case, Growth
from grader.model.kinds import calls_of
from grader.spec.decode.calling.inputs import own_functions
from grader.spec.decode.calling.written import read_written, with_given
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Sized, sized
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.of_yaml import sized_value_of
from grader.spec.expressions.parse import Expression
from grader.spec.given.strategies import DRAW_S, STRATEGIES, Drawing, DrawStopped
from grader.spec.reference.definitions import Definitions
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Node
from grader.yamlfile.source import Span
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

LEAST_SIZES, MOST_SIZES = 3, 12
_AGAIN = 2
"""The number of other inputs that are made for each size."""
_APART = 1_000_003
"""Between the seeds of these, so that they are not those of a task with a neighbouring seed."""
_ALONE = ("watch", "pace", "picture", "plot", "examples", "goes on", "prints", "raises")
"""Keys of a call that do not go with `grow`."""


def decode_grow(fields: Fields, common: Case, context: Context, definitions: Definitions | None) -> Case:
    """Return a case with an input for each size.  Raises Unusable."""
    for key in fields.present(*_ALONE):
        fields.report_key(key, f"`{key}` does not go with `grow`")
    if not fields.has("growth"):
        fields.report_key("grow", "`grow` needs `growth`", "such as growth: n log n")
    if fields.has("worse") and fields["decides"] is None:
        hint = "write `decides: marks` beside it, or leave `worse` out"
        fields.report_key("worse", "without `decides: marks` the growth costs nothing", hint)
    node: Node | None = fields["given"]
    with collecting() as take:
        grow = take(_sizes, fields, context)
        names = [grow.name] if not take.failed else []
        names += [key.text for key, _ in node.pairs] if isinstance(node, nodes.Mapping) else []
        given = take(_given, fields, grow, context) if fields.has("given") else ()
        call = take(read_written, fields, "call", with_given(context, names), definitions)
        at_most = take(fields.needed, "growth")
    if call.formula is not None:
        fields.report("call", "`grow` needs the call of a function, with nothing around it")
        raise Unusable
    expected = answer_text(fields, context)
    check_uses(fields, node, names, call.arguments, expected, context)
    reader = CaseReader(fields, context, definitions, tuple(names), given, call, expected)
    try:
        # Where nothing in `given` is drawn at random, there are no other inputs of these sizes.
        made = [_rows(grow, tuple(names[1:]), given, context, again) for again in range(1 + _AGAIN)]
    except DrawStopped:
        raise Unusable from None
    rows, *others = [each for number, each in enumerate(made) if each not in made[:number]]
    case = reader.case(common, rows, drawn=False)
    again = [reader.case(common, other, drawn=False) for other in others]
    growth = Growth(
        sizes=grow.sizes,
        at_most=at_most,
        decides=fields["decides"] is not None,
        worse=fields["worse"],
        again=tuple(calls_of(one).steps for one in again),
    )
    text = f"{case.text.rpartition(' for ')[0]} for {len(rows)} sizes"
    return replace(case, text=text, what=replace(calls_of(case), growth=growth))


@dataclass(frozen=True, slots=True)
class _Grow:
    name: str
    sizes: tuple[int, ...]
    span: Span


def _sizes(fields: Fields, context: Context) -> _Grow:
    node: nodes.Mapping = fields.needed("grow")
    if len(node.pairs) != 1:
        fields.report("grow", "`grow` must have one name with its sizes", "such as {n: [1000, 2000, 4000]}")
        raise Unusable
    key, value = node.pairs[0]
    if not check_new_name(key, context.taken(), context.reporter):
        raise Unusable
    found, _ = sized_value_of(context, value)
    sizes = list(found) if isinstance(found, list | tuple | range) else []
    whole = all(type(size) is int and size >= 1 for size in sizes)
    if not whole or not LEAST_SIZES <= len(sizes) <= MOST_SIZES:
        message = f"`{key.text}` must have {LEAST_SIZES} to {MOST_SIZES} sizes, whole numbers from 1"
        context.reporter.report(value.span, message, "such as [1000, 2000, 4000, 8000]")
        raise Unusable
    if any(after <= before for before, after in pairwise(sizes)):
        context.reporter.report(value.span, "the sizes must ascend", "best is to double each")
        raise Unusable
    return _Grow(key.text, tuple(sizes), key.span)


def _given(fields: Fields, grow: _Grow | None, context: Context) -> tuple[Expression, ...]:
    """Return the expressions of `given`.  Raises Unusable."""
    node = fields.needed("given")
    if not isinstance(node, nodes.Mapping):
        fields.report("given", "with `grow`, `given` must be a mapping of names", "such as {xs: '[0] * n'}")
        raise Unusable
    if grow is not None:
        # The size is a name for what follows, and no other value may have it.
        context = context.with_names({**context.names, grow.name: sized(grow.sizes[0])})
    found = expressions_of(node, context)
    for expression in found:
        for part in ast.walk(expression.tree):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in STRATEGIES:
                message = f"`{part.func.id}` does not go with `grow`: its size is not that of the input"
                hint = "write a function of the checkers file that makes an input of a size"
                context.reporter.report(expression.span(part), message, hint)
                raise Unusable
    return found


def _rows(
    grow: _Grow, others: tuple[str, ...], given: tuple[Expression, ...], context: Context, again: int
) -> list[tuple[Any, ...]]:
    """Return an input of each size.  again: a number, for other inputs.  Raises `DrawStopped`."""
    seed = context.seed + again * _APART
    return [_row(size, grow.name, others, given, context, Random(seed)) for size in grow.sizes]


def _row(
    size: int,
    name: str,
    others: tuple[str, ...],
    given: tuple[Expression, ...],
    context: Context,
    random: Random,
) -> tuple[Any, ...]:
    """Return the input of a size.  Raises `DrawStopped`."""
    names: dict[str, Sized] = {**context.names, name: sized(size)}

    def draw(*_: object) -> bytes:
        raise AssertionError("no strategy is drawn here")

    for other, expression in zip(others, given, strict=True):
        drawing = Drawing(
            expression,
            context.reporter,
            context.types,
            context.generators,
            own_functions(context),
            thread_time() + DRAW_S,
            random,
        )
        value, size_of_value = drawing.value(cast("DrawFn", draw), expression.tree, names)
        if isinstance(value, range):
            context.reporter.report(expression.whole, "a range is no input", "write [0] * n, or a function")
            raise DrawStopped
        names[other] = value, size_of_value
    return (size, *(names[other][0] for other in others))
