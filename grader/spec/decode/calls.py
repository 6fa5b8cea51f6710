"""The calls of a case: one as it is written, or one for each combination of `over`."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from grader.model.case import Call, Combine
from grader.spec.decode.arguments import Ready, Written, longest_text, prepare, written_arguments
from grader.spec.decode.combinations import Loop, decode_over
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Sized, Unusable
from grader.spec.expressions.parse import Expression, parse
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields

if TYPE_CHECKING:
    from grader.spec.decode.callbacks import Callback

SUBJECTS = ("call", *Combine)
"""The keys that say what a case calls; each case has one of them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a case calls, and how that reads."""

    calls: tuple[Call, ...]
    text: str
    combine: Combine | None


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as the spec writes it: the function's name and the syntax tree."""

    expression: Expression
    function: str
    tree: ast.Call


def read_call(fields: Fields, key: str, context: Context) -> WrittenCall | None:
    """Return the call that is written at a key; report what is not a call of a plain name."""
    scalar = fields.scalar(key)
    expression = parse(scalar, context.reporter) if scalar is not None else None
    if expression is None:
        return None
    tree = expression.tree
    if not isinstance(tree, ast.Call):
        context.reporter.report(expression.whole, f"`{key}` must be a call such as f(1, 2)")
        return None
    if not isinstance(tree.func, ast.Name):
        message = "only a function can be called here, by its plain name"
        context.reporter.report(expression.span(tree.func), message)
        return None
    return WrittenCall(expression, tree.func.id, tree)


def subject(fields: Fields, context: Context) -> str | None:
    """Return which of `call`, `sum`, `count` and `each` a case has; report none and several."""
    keys = fields.present(*SUBJECTS)
    if not keys:
        message = "a case needs one of `call`, `sum`, `count` and `each`"
        context.reporter.report(fields.place, message)
        return None
    for key in keys[1:]:
        message = f"a case can't have both `{keys[0]}` and `{key}`"
        context.reporter.report(fields.key_span(key), message)
    return keys[0]


def decode_attempt(
    fields: Fields,
    key: str,
    context: Context,
    callbacks: "dict[str, Callback]",
    definitions: Definitions | None,
) -> Attempt | None:
    """Return the calls of a case; None where they were reported."""
    combine = Combine(key) if key != "call" else None
    loops = _loops(fields, combine, context, callbacks)
    written = read_call(fields, key, context)
    if written is None:
        return None
    _check_function(written, context, definitions)
    arguments = written_arguments(context, written.expression, written.tree)
    _check_uses(arguments, loops, callbacks, context)
    expansion = _Expansion(context, written, arguments, loops or [], callbacks)
    try:
        # Without values for the names of `over` nothing more can be said about the arguments.
        calls = tuple(expansion.calls()) if loops is not None else ()
    except Unusable:
        return None
    if len(arguments) < len(written.tree.args) + len(written.tree.keywords) or not calls:
        return None
    return Attempt(calls, expansion.text(combine, calls[0]), combine)


def _loops(
    fields: Fields, combine: Combine | None, context: Context, callbacks: "dict[str, Callback]"
) -> list[Loop] | None:
    """Return the loops of `over`; none for a single call; None where they were reported."""
    if combine is None:
        if fields.has("over"):
            hint = "write `each`, `sum` or `count` instead of `call`"
            context.reporter.report(fields.key_span("over"), "`over` does not go with `call`", hint)
            return None
        return []
    if not fields.has("over"):
        message = f"`{combine}` needs `over`: the names and the values that they take"
        context.reporter.report(fields.key_span(combine), message)
        return None
    taken = context.taken() | dict.fromkeys(callbacks, "a watched callback")
    try:
        return decode_over(fields, context, taken)
    except Unusable:
        return None


def _check_function(written: WrittenCall, context: Context, definitions: Definitions | None) -> None:
    if definitions is None or not definitions.complete or written.function in definitions.names:
        return
    message = f"the reference has no `{shown(written.function)}` in this module"
    hint = context.reporter.nearest(written.function, sorted(definitions.names))
    context.reporter.report(written.expression.span(written.tree.func), message, hint)


def _check_uses(
    arguments: list[Written], loops: list[Loop] | None, callbacks: "dict[str, Callback]", context: Context
) -> None:
    """Report names that are declared for a call in which they do not occur."""
    used = frozenset[str]().union(*(argument.names for argument in arguments))
    declared = [(loop.name, loop.span) for loop in loops or ()]
    declared += [(name, callback.span) for name, callback in callbacks.items()]
    for name, span in declared:
        if name not in used:
            context.reporter.report(span, f"`{shown(name)}` does not occur in the call")


class _Expansion:
    """Makes the calls of a case; arguments without names of `over` are computed once."""

    def __init__(
        self,
        context: Context,
        written: WrittenCall,
        arguments: list[Written],
        loops: list[Loop],
        callbacks: "dict[str, Callback]",
    ) -> None:
        self._context = context
        self._written = written
        self._arguments = arguments
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
        """Compute some of the arguments, all of them even where one is wrong."""
        names = {**self._context.names, **varied} if varied else self._context.names
        failed = False
        for index in indexes:
            try:
                into[index] = prepare(
                    self._context, self._written.expression, self._arguments[index], names, self._callbacks
                )
            except Unusable:
                failed = True
        if failed:
            raise Unusable

    def _call(self, ready: list[Ready]) -> Call:
        pairs = list(zip(self._arguments, ready, strict=True))
        return Call(
            function=self._written.function,
            args=tuple(r.value for a, r in pairs if not a.keyword),
            kwargs=tuple((a.keyword, r.value) for a, r in pairs if a.keyword),
            text=self._text([r.text for r in ready]),
        )

    def _text(self, texts: list[str | None]) -> str:
        """Return the call as one would type it; as written where values would make it long."""
        as_written = [a.labelled(a.text) for a in self._arguments]
        replaced = [
            a.labelled(text) for a, text in zip(self._arguments, texts, strict=True) if text is not None
        ]
        text = f"{self._written.function}({', '.join(replaced)})"
        if len(replaced) == len(texts) and len(text) <= longest_text(self._context):
            return text
        return f"{self._written.function}({', '.join(as_written)})"

    def text(self, combine: Combine | None, first: Call) -> str:
        """Return what the case tries, for people."""
        if combine is None:
            return first.text
        shared = [self._fixed[i].text if i in self._fixed else a.text for i, a in enumerate(self._arguments)]
        loops = ", ".join(f"{loop.name} in {loop.text}" for loop in self._loops)
        return f"{combine} of {self._text(shared)} for {loops}"
