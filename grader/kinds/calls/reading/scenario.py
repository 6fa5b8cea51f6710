"""A scenario: steps that make objects, call their methods and check the answers."""

import ast
from dataclasses import replace

from grader.model.case import Bound, Call, Calls, Case, Check, Comparison, Shipped, Step
from grader.spec.decode.answers.expectations import (
    check_classes,
    decode_check,
    decode_optional_expectation,
    decode_text,
)
from grader.spec.decode.answers.pictures import decode_step_picture
from grader.spec.decode.calling.arguments import prepare
from grader.spec.decode.calling.calls import CaseCalls
from grader.spec.decode.calling.written import WrittenCall, formula_call, plain_call, read_looks
from grader.spec.expressions.bounds import ValueSize
from grader.spec.expressions.context import Context
from grader.spec.expressions.formulas import FormulaReader
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.parse import Expression, parse
from grader.spec.expressions.scope import Scope
from grader.spec.reference.definitions import Definitions
from grader.values.walk import parts
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting, if_usable

MAX_STEPS = 1_000
"""The most steps of one scenario."""

_DROPPED = "_"
"""The name of an object that no later step uses."""
_ACTIONS = ("new", "call", "read")
_LONGEST_TEXT = 300


def decode_scenario(fields: Fields, common: Case, context: Context, definitions: Definitions | None) -> Case:
    """Return a case with its scenario.  Raises Unusable."""
    steps: list[Fields | None] = fields.needed("scenario")
    goes_on, unchanged = fields["goes on"], fields["unchanged"]
    if not steps:
        raise Unusable
    if len(steps) > MAX_STEPS or not context.value_budget.spend_calls(len(steps)):
        fields.report("scenario", f"a scenario can have at most {MAX_STEPS:,} steps")
        raise Unusable
    reader = _Reader(context, definitions)
    with collecting() as take:
        found = [take(reader.step, step) for step in steps]
    together = reader.together(fields) if fields.has("check") else None
    if together is not None:
        kept = {value.name for _, value in together.arguments if isinstance(value, Bound)}
        found = [_brought(step) if step.call.bind in kept else step for step in found]
    calls = tuple(step.call for step in found)
    if unchanged and not any(map(_has_data, calls)):
        message = "`unchanged` has no effect: no step is given an argument that could be changed"
        fields.report_key("unchanged", message)
    return replace(
        common,
        text=_text(calls),
        what=Calls(steps=tuple(found), apart=True, expect=together, goes_on=goes_on, unchanged=unchanged),
    )


def _text(calls: tuple[Call, ...]) -> str:
    """Return the steps as one would type them; the first of them if there are many."""
    texts: list[str] = []
    room = _LONGEST_TEXT
    for number, call in enumerate(calls):
        room -= len(call.text) + 2
        if room < 0 and texts:
            left = len(calls) - number
            return "; ".join(texts) + f"; … {left} more step{'s' if left > 1 else ''}"
        texts.append(call.text)
    return "; ".join(texts)


def _brought(step: Step) -> Step:
    return replace(step, call=replace(step.call, brings=True))


def _has_data(call: Call) -> bool:
    arguments = [*call.args, *(value for _, value in call.kwargs)]
    return any(not isinstance(argument, Shipped | Bound) for argument in arguments)


class _Reader:
    """Reads the steps in order, and remembers the objects that they make."""

    def __init__(self, context: Context, definitions: Definitions | None) -> None:
        self._context = context
        self._definitions = definitions
        self._made: dict[str, str] = {}
        """The class of each object by its name, as written; "" for an object that `new` did not make."""

    def step(self, fields: Fields | None) -> Step:
        """Return a step.  fields: None where it was reported.  Raises Unusable."""
        if fields is None:
            raise Unusable
        action = if_usable(self._action, fields)
        scope = Scope.of(self._definitions).keeping(self._made)
        # The name of an answer is known to later steps, though its call is wrong.
        call = if_usable(self._call, fields, action, scope) if action is not None else None
        calls = CaseCalls((call,), call.text, None) if call is not None else None
        with collecting() as take:
            bound = take(self._bind, fields, action, call)
            expect = take(decode_optional_expectation, fields, calls, self._context, self._definitions)
            prints = take(decode_text, fields, "prints", self._context)
            picture = take(decode_step_picture, fields, action, self._context)
            if self._context.types and calls is not None and expect is not None:
                check_classes(calls, expect, self._definitions, fields.place, self._context)
        return Step(bound, expect, prints, picture)

    def together(self, fields: Fields) -> Check:
        """Return the call of a checker whose arguments name answers that steps keep.  Raises Unusable."""
        if fields["goes on"]:
            fields.report_key("check", "`check` does not go with `goes on`", "give a step a `check`")
            raise Unusable
        kept = {name: (Bound(name), ValueSize(0, 0, 0)) for name, made in self._made.items() if not made}
        context = self._context.with_names({**self._context.names, **kept})
        check = decode_check(fields, Comparison(), context, answers=0)
        values = [value for _, value in check.arguments]
        if any(isinstance(part, Bound) for value in values for part in parts(value) if part is not value):
            fields.report("check", "the answer of a step can only be an argument of its own here")
        elif not any(isinstance(value, Bound) for value in values):
            hint = f"such as one of {', '.join(kept)}" if kept else ""
            fields.report(
                "check", "the `check` of a scenario needs an answer that a step keeps with `as`", hint
            )
        return check

    def _action(self, fields: Fields) -> str:
        present = fields.present(*_ACTIONS)
        if not present:
            message = "a step needs one of `new`, `call` and `read`"
            if fields.meant.isdisjoint(_ACTIONS):
                self._context.reporter.report(fields.place, message)
            raise Unusable
        for key in present[1:]:
            message = f"a step can't have both `{present[0]}` and `{key}`"
            fields.report_key(key, message, "write two steps")
        return present[0]

    def _bind(self, fields: Fields, action: str | None, call: Call | None) -> Call:
        """Return the call with the name that keeps its answer.  Raises Unusable.

        call: None where it was reported.
        """
        scalar: Scalar | None = fields["as"]
        kept = action == "new" or fields.has("as")
        compared = fields.present("returns", "check")
        for key in compared:
            if action == "new":
                fields.report_key(key, f"`{key}` does not go with `new`")
        if fields.has("as") and fields.has("raises"):
            message = "`as` does not go with `raises`: an exception leaves nothing to keep"
            fields.report_key("as", message)
        if fields.has("as") and scalar is None:
            raise Unusable
        name = scalar.text if scalar is not None else _DROPPED
        taken = dict.fromkeys(self._context.names, "a name of `let`")
        taken |= dict.fromkeys(self._made, "made by an earlier step")
        if scalar is not None and name != _DROPPED:
            if not check_new_name(scalar, taken, self._context.reporter):
                raise Unusable
            self._made[name] = _class_of(call) if call is not None and action == "new" else ""
        if call is None:
            raise Unusable
        if not kept:
            return call
        text = call.text if name == _DROPPED else f"{name} = {call.text}"
        return replace(call, text=text, bind=name, brings=bool(compared))

    def _call(self, fields: Fields, action: str, scope: Scope) -> Call:
        with collecting() as take:
            looks = take(read_looks, fields, self._context)
            scalar = take(fields.needed, action)
        expression = parse(scalar, self._context.reporter, statement=action == "call")
        tree = expression.tree
        reader = FormulaReader(expression, self._context, scope)
        if action != "read" and (looks or not _is_plain(reader, tree, scope)):
            return self._formula(fields, action, expression, reader, scope, looks)
        if action == "read":
            if looks:
                fields.report_key("reads", "`reads` does not go with `read`", "write `call`")
            function = self._function(expression, tree, "only a name such as tour.N can be read here")
            return Call(function, (), text=function, reads=True)
        assert isinstance(tree, ast.Call)
        function = self._function(expression, tree.func, "only a name such as f or tour.move")
        if not reader.may_call(tree):
            raise Unusable
        return self._ready(plain_call(self._context, expression, function, tree, scope))

    def _formula(
        self,
        fields: Fields,
        action: str,
        expression: Expression,
        reader: FormulaReader,
        scope: Scope,
        looks: list[Expression],
    ) -> Call:
        """Return a step that is more than the call of a function or a method with data."""
        if not isinstance(expression.tree, ast.Call) and action == "new":
            self._context.reporter.report(expression.whole, "`new` must be a call such as Tour(1, 3)")
            raise Unusable
        if expression.statement is not None:
            for key in fields.present("as", "returns", "check", "reads"):
                fields.report_key(key, f"`{key}` has no effect: this step has no answer")
        written = formula_call(self._context, expression, reader, scope, looks)
        if written.formula is not None:
            is_bare = isinstance(expression.tree, ast.Name) and expression.statement is None
            if is_bare or not (written.formula.functions() or written.has_records or fields.has("as")):
                self._ready(written)
                message = f"`{action}` must be a call such as tour.move(3, 2)"
                self._context.reporter.report(expression.whole, message)
                raise Unusable
            for first, *parts in (name.split(".") for name in written.formula.functions()):
                if first in self._made and expression.statement is None:
                    self._check_member(expression, first, parts)
        return self._ready(written)

    def _ready(self, written: WrittenCall) -> Call:
        """Return a call with values for its arguments.  Raises Unusable."""
        context, expression = self._context, written.expression
        with collecting() as take:
            ready = [
                take(prepare, context, expression, each, context.names, {}) for each in written.arguments
            ]
        return written.made(context, ready)

    def _function(self, expression: Expression, node: ast.expr, otherwise: str) -> str:
        """Return a dotted name, which starts with an object of a step or with a name of the module.

        Raises Unusable for anything else.
        """
        parts: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            parts.insert(0, inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            self._context.reporter.report(expression.span(node), otherwise, "`call` takes an expression")
            raise Unusable
        self._check_name(expression, inner, parts)
        return ".".join([inner.id, *parts])

    def _check_member(self, expression: Expression, name: str, parts: list[str]) -> None:
        """Report an attribute that the reference's object does not have."""
        known = self._definitions
        members = known.classes.get(self._made[name]) if known is not None else None
        if parts and members is not None and parts[0] not in members:
            message = f"the reference's `{self._made[name]}` has no `{shown(parts[0])}`"
            hint = self._context.reporter.nearest(parts[0], sorted(members))
            self._context.reporter.report(expression.whole, message, hint)

    def _check_name(self, expression: Expression, first: ast.Name, parts: list[str]) -> None:
        name, known = first.id, self._definitions
        if name in self._made:
            self._check_member(expression, name, parts)
            return
        if known is None or not known.complete or name in known.names:
            return
        message = f"no earlier step made `{shown(name)}`, and the reference has no such name in this module"
        hint = self._context.reporter.nearest(name, [*self._made, *sorted(known.names)])
        self._context.reporter.report(expression.span(first), message, hint)


def _class_of(call: Call) -> str:
    """Return the name of the class that `new` calls, or the text of what it computes."""
    names = call.formula.functions() if call.formula is not None else ()
    return names[0] if names and call.function.startswith(f"{names[0]}(") else call.function


def _is_plain(reader: FormulaReader, tree: ast.expr, scope: Scope) -> bool:
    """Tell whether a step calls a function or a method with data, objects and functions."""
    if not isinstance(tree, ast.Call) or not reader.is_plain(tree):
        return False
    inner = tree.func
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return False
    # Without a reference, a call of data alone is taken for one of the student's `len`.
    has_object = any(isinstance(part, ast.Name) and part.id in scope.kept for part in tree.args)
    return scope.kind_of(inner.id, ()) != "python" or not (scope.is_complete or has_object)
