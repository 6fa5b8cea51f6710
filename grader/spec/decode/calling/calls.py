"""The calls of a case: one as it is written, or one for each combination of `over`."""

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from grader.model.case import Call, Combine
from grader.spec.decode.calling.arguments import (
    Callback,
    Ready,
    WrittenArgument,
    plain_arguments,
    prepare,
)
from grader.spec.decode.calling.written import WrittenCall, read_written
from grader.spec.expressions.bounds import MAX_CALLS_OF_SPEC, size_as_list
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Sized, sized
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.of_yaml import refuse_split_expression, sized_value_of
from grader.spec.expressions.parse import parse
from grader.spec.reference.definitions import Definitions
from grader.spec.reference.signatures import Arguments, GivenArgument, bind
from grader.values.python_text import literal
from grader.yamlfile.nodes import Mapping, Node, Scalar
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting

MAX_CALLS = 10_000
"""The most calls of one case."""

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
    node: Mapping = case.needed("over")
    refuse_split_expression(context, node)
    if not node.pairs:
        case.report("over", "`over` names nothing", "such as {x: range(5)}")
        raise Unusable
    with collecting() as take:
        loops = [take(_loop, key, value, taken, context) for key, value in node.pairs]
    calls = math.prod(len(loop.values) for loop in loops)
    if calls > MAX_CALLS:
        message = f"`over` makes {calls:,} calls; a case can have at most {MAX_CALLS:,}"
        case.report_key("over", message)
        raise Unusable
    if not context.value_budget.spend_calls(calls):
        message = f"with this, the cases make more than {MAX_CALLS_OF_SPEC:,} calls together"
        case.report_key("over", message)
        raise Unusable
    return loops


def _loop(key: Scalar, node: Node, taken: dict[str, str], context: Context) -> Loop:
    if not check_new_name(key, taken, context.reporter):
        raise Unusable
    value, size = sized_value_of(context, node)
    if not isinstance(value, range | list | tuple):
        message = f"`{key.text}` must run over a range or a list"
        context.reporter.report(node.span, message, "such as range(5) or [1, 2, 3]")
        raise Unusable
    excess = size_as_list(value, size).excess()
    if excess:
        context.reporter.report(node.span, excess)
        raise Unusable
    if not value:
        context.reporter.report(node.span, f"`{key.text}` has no values, so nothing would be called")
        raise Unusable
    text = " ".join(node.text.split()) if isinstance(node, Scalar) else literal(value)
    if len(text) > _LONGEST_TEXT:
        text = f"{len(value)} values"
    return Loop(key.text, tuple(map(sized, value)), text, key.span)


@dataclass(frozen=True, slots=True)
class CaseCalls:
    """The calls of a case, and their text for people."""

    calls: tuple[Call, ...]
    text: str
    combine: Combine | None


@dataclass(frozen=True, slots=True)
class PlainCall:
    """The call of a checker or a renderer, whose arguments are plain values.  place: its name's."""

    function: str
    text: str
    given: list[GivenArgument]
    place: Span

    @property
    def arguments(self) -> Arguments:
        """The names, empty for positional arguments, and the values."""
        return tuple((argument.name, argument.value) for argument in self.given)


def read_plain_call(fields: Fields, key: str, context: Context) -> PlainCall:
    """Return the call of a checker or a renderer that a key states.  Raises Unusable."""
    expression = parse(fields.needed(key), context.reporter)
    tree = expression.tree
    if not isinstance(tree, ast.Call):
        context.reporter.report(expression.whole, f"`{key}` must be a call such as f(1, 2)")
        raise Unusable
    if not isinstance(tree.func, ast.Name):
        message = "only a function can be called here, by its plain name"
        context.reporter.report(expression.span(tree.func), message)
        raise Unusable
    arguments = plain_arguments(context, expression, tree)
    given = [
        GivenArgument(argument.keyword, value, expression.span(argument.place))
        for argument, value in arguments
    ]
    return PlainCall(tree.func.id, " ".join(expression.text.split()), given, expression.span(tree.func))


def bind_to_checkers(call: PlainCall, noun: str, taken: int, context: Context) -> Arguments:
    """Return the arguments of a function of the checkers file by keyword; report those that do not fit."""
    checkers = context.checkers
    if checkers is not None and call.function in checkers.functions:
        parameters = checkers.functions[call.function]
        return bind(
            call.function, parameters, call.given, call.place, context.reporter, noun=noun, taken=taken
        )
    if any(not argument.name for argument in call.given):
        message = f"the parameters of {noun} `{shown(call.function)}` are not known; name each argument"
        context.reporter.report(call.place, message)
    return call.arguments


def decode_calls(
    fields: Fields,
    key: str,
    context: Context,
    callbacks: dict[str, Callback],
    definitions: Definitions | None,
) -> CaseCalls:
    """Return the calls of a case.  Raises Unusable."""
    combine = Combine(key) if key in list(Combine) else None
    with collecting() as take:
        # Without values for the names of `over` the arguments cannot be checked further.
        loops = take(_loops, fields, combine, context, callbacks) or []
        varied = {loop.name: loop.values[0] for loop in loops}
        names = context.with_names({**context.names, **varied})
        written = read_written(fields, key, names, definitions, callbacks)
        _check_uses(written.arguments, loops, callbacks, context)
    expansion = _Expansion(context, written, loops, callbacks)
    calls = tuple(expansion.calls())
    return CaseCalls(calls, expansion.text(combine, calls[0]), combine)


def _loops(
    fields: Fields, combine: Combine | None, context: Context, callbacks: dict[str, Callback]
) -> list[Loop]:
    """Return the loops of `over`; none for a single call.  Raises Unusable."""
    if combine is None:
        # With a single call, `over` was reported as a key that does not go with it.
        if fields.has("over"):
            raise Unusable
        return []
    if not fields.has("over"):
        message = f"`{combine}` needs `over`: the names and the values that they take"
        fields.report_key(combine, message)
        raise Unusable
    taken = context.taken() | dict.fromkeys(callbacks, "a watched callback")
    return decode_over(fields, context, taken)


def _check_uses(
    arguments: Sequence[WrittenArgument],
    loops: list[Loop],
    callbacks: dict[str, Callback],
    context: Context,
) -> None:
    """Report declared names that do not occur in the call."""
    used = frozenset[str]().union(*(argument.names for argument in arguments))
    declared = [(loop.name, loop.span) for loop in loops]
    declared += [(name, callback.span) for name, callback in callbacks.items()]
    for name, span in declared:
        if name not in used:
            context.reporter.report(span, f"`{shown(name)}` does not occur in the call")


class _Expansion:
    """Makes the calls of a case.  Arguments without names of `over` are computed once."""

    def __init__(
        self,
        context: Context,
        written: WrittenCall,
        loops: list[Loop],
        callbacks: dict[str, Callback],
    ) -> None:
        self._context = context
        self._written = written
        self._arguments = written.arguments
        self._loops = loops
        self._callbacks = callbacks
        self._fixed: dict[int, Ready] = {}

    def calls(self) -> Iterator[Call]:
        """Yield one call for each combination, the last loop running fastest.  Raises Unusable."""
        varied = {loop.name for loop in self._loops}
        self._prepare(
            [i for i, a in enumerate(self._arguments) if varied.isdisjoint(a.names)], {}, self._fixed
        )
        loose = [i for i in range(len(self._arguments)) if i not in self._fixed]
        for values in product(*(loop.values for loop in self._loops)):
            ready = dict(self._fixed)
            self._prepare(loose, dict(zip((loop.name for loop in self._loops), values, strict=True)), ready)
            yield self._call([ready[i] for i in range(len(self._arguments))])

    def _prepare(self, indexes: list[int], varied: dict[str, Sized], into: dict[int, Ready]) -> None:
        """Compute some of the arguments; go on after a mistake, so that the others are reported too."""
        names = {**self._context.names, **varied} if varied else self._context.names
        expression = self._written.expression
        with collecting() as take:
            for i in indexes:
                into[i] = take(prepare, self._context, expression, self._arguments[i], names, self._callbacks)

    def _call(self, ready: list[Ready]) -> Call:
        return self._written.made(self._context, ready)

    def text(self, combine: Combine | None, first: Call) -> str:
        """Return the text of the case for people."""
        if combine is None:
            return first.text
        shared = [self._fixed[i].text if i in self._fixed else a.text for i, a in enumerate(self._arguments)]
        loops = ", ".join(f"{loop.name} in {loop.text}" for loop in self._loops)
        return f"{combine} of {self._written.text(self._context, shared)} for {loops}"
