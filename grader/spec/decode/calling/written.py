"""The text that a case or a step calls: a call of a function, or a formula."""

import ast
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from grader.model.case import Call
from grader.model.formula import Formula
from grader.model.values import Record
from grader.spec.decode.calling.arguments import (
    Ready,
    WrittenArgument,
    longest_text,
    prepare,
    written_arguments,
    written_part,
)
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import sized
from grader.spec.expressions.formulas import FormulaReader
from grader.spec.expressions.parse import Expression, parse
from grader.spec.expressions.scope import Scope
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call before the names in it have values.

    function: its dotted name; for a formula its text, with `_` for data.
    arguments: those of the function, or the data of the formula.
    place: the node that names the function.
    has_records: instances of classes of `types` are among the arguments.
    """

    expression: Expression
    function: str
    arguments: tuple[WrittenArgument, ...]
    scope: Scope
    place: ast.AST
    formula: Formula | None = None
    has_records: bool = False

    def made(self, context: Context, ready: Sequence[Ready]) -> Call:
        """Return the call with arguments that are ready."""
        pairs = list(zip(self.arguments, ready, strict=True))
        return Call(
            function=self.function,
            args=tuple(r.value for a, r in pairs if not a.keyword),
            kwargs=tuple((a.keyword, r.value) for a, r in pairs if a.keyword),
            text=self.text(context, [one.text for one in ready]),
            formula=self.formula,
        )

    def text(self, context: Context, texts: Sequence[str | None]) -> str:
        """Return the call as one would type it, or as written where values would make it long.

        texts: for each argument; None where it would be long.
        """
        short = [text for text in texts if text is not None]
        if len(short) == len(self.arguments):
            text = self._text(short)
            if len(text) <= longest_text(context):
                return text
        return self._text([argument.text for argument in self.arguments])

    def _text(self, texts: Sequence[str]) -> str:
        if self.formula is not None:
            return self.formula.written(texts)
        labelled = [a.labelled(text) for a, text in zip(self.arguments, texts, strict=True)]
        return f"{self.function}({', '.join(labelled)})"


def read_written(
    fields: Fields,
    key: str,
    context: Context,
    definitions: Definitions | None,
    callbacks: Collection[str] = (),
) -> WrittenCall:
    """Return what a key of a case calls; report what the reference lacks.  Raises Unusable for no call."""
    with collecting() as take:
        expression = take(_expression, fields, key, context)
        looks = take(read_looks, fields, context)
    scope = Scope.of(definitions, callbacks)
    call = read_expression(context, expression, looks, scope)
    if call.formula is None and scope.is_complete and call.function not in scope.own | scope.others:
        message = f"the reference has no `{shown(call.function)}` in this module"
        hint = context.reporter.nearest(call.function, sorted(scope.own | scope.others))
        context.reporter.report(expression.span(call.place), message, hint)
    elif call.formula is not None and not _calls_something(call, context, expression, key):
        raise Unusable
    return call


def _expression(fields: Fields, key: str, context: Context) -> Expression:
    return parse(fields.needed(key), context.reporter)


def _calls_something(call: WrittenCall, context: Context, expression: Expression, key: str) -> bool:
    """Report an expression in which nothing of the module is called, or one that cannot be computed."""
    if call.formula is None:
        return True
    if (call.formula.functions() or call.has_records) and not isinstance(expression.tree, ast.Name):
        return True
    with suppress(Unusable):
        for argument in call.arguments:
            prepare(context, expression, argument, context.names, {})
        context.reporter.report(expression.whole, f"`{key}` must be a call such as f(1, 2)")
    return False


def read_expression(
    context: Context, expression: Expression, looks: Sequence[Expression], scope: Scope
) -> WrittenCall:
    """Return the call of a plain name with data, or else a formula.  Raises Unusable."""
    reader = FormulaReader(expression, context, scope)
    match expression.tree:
        case ast.Call(func=ast.Name(id=name)) as call if reader.is_plain(call) and not looks:
            return plain_call(context, expression, name, call, scope)
    return formula_call(context, expression, reader, scope, looks)


def plain_call(
    context: Context, expression: Expression, function: str, tree: ast.Call, scope: Scope
) -> WrittenCall:
    """Return the call of a function by its name.  Raises Unusable."""
    arguments = written_arguments(context, expression, tree, scope)
    return WrittenCall(expression, function, tuple(arguments), scope, tree.func)


def formula_call(
    context: Context,
    expression: Expression,
    reader: FormulaReader,
    scope: Scope,
    looks: Sequence[Expression] = (),
) -> WrittenCall:
    """Return a call that is more than a function with data.  Raises Unusable."""
    try:
        formula = reader.read()
        if looks:
            formula = reader.looked_at(formula, looks)
    except Unusable:
        # The data in it can hold mistakes too.
        for node in reader.slots:
            if not (isinstance(node, ast.Name) and node.id in scope.callbacks):
                with suppress(Unusable):
                    prepare(context, expression, written_part(node, scope), context.names, {})
        raise
    arguments = tuple(written_part(node, scope) for node in reader.slots)
    text = ", ".join([formula.written(["_"] * len(arguments)), *(look.text for look in formula.looks)])
    return WrittenCall(expression, text, arguments, scope, expression.tree, formula, reader.has_records)


def read_looks(fields: Fields, context: Context) -> list[Expression]:
    """Return what `reads` names.  Raises Unusable."""
    if not fields.has("reads"):
        return []
    items: list[Scalar] = fields["reads"]
    if not items:
        fields.report("reads", "`reads` names nothing to read")
        raise Unusable
    with collecting() as take:
        found = [take(parse, scalar, context.reporter) for scalar in items]
    texts = [ast.unparse(each.tree) for each in found]
    for number, text in enumerate(texts):
        if text in texts[:number]:
            context.reporter.report(items[number].span, f"`{shown(text)}` is read twice")
    if len(set(texts)) < len(texts):
        raise Unusable
    return found


def with_given(context: Context, names: Iterable[str]) -> Context:
    """Return a context in which names have some value, so that a call with them can be read.

    Where classes are declared, they are taken for instances, whose operators are the student's.
    """
    value = Record("", ()) if context.types else None
    return context.with_names({**context.names, **dict.fromkeys(names, sized(value))})


def normal(text: str) -> str:
    """Return a text of `reads` as Python would write it."""
    try:
        return ast.unparse(ast.parse(text.strip(), mode="eval"))
    except SyntaxError:
        return text


def module_names(call: WrittenCall, context: Context) -> tuple[str, ...]:
    """Return the names in a call that are the module's."""
    data = {*context.names, *context.types}
    names = {part.id for part in ast.walk(call.expression.tree) if isinstance(part, ast.Name)}
    return tuple(sorted(n for n in names if call.scope.kind_of(n, data) == "module"))
