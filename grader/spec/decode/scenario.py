"""A scenario: steps that make objects, call their methods and look at what they say."""

import ast
from dataclasses import dataclass

from grader.model.case import Bound, Call, Shipped, Step
from grader.spec.decode.arguments import Ready, Written, prepare, written_arguments
from grader.spec.decode.calls import Attempt
from grader.spec.decode.expectations import decode_optional_expectation
from grader.spec.decode.pictures import decode_step_picture
from grader.spec.decode.record_use import check_classes
from grader.spec.decode.text import decode_text
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Unusable
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.parse import Expression, parse
from grader.spec.keys import STEP
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.nodes import Node
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, open_fields

MAX_STEPS = 1_000
"""Steps of one scenario."""

_ALLOWED = (
    *("scenario", "goes on", "unchanged"),
    *("name", "weight", "group", "hint", "visibility", "needs", "limits"),
)
"""Keys of a case that go with a scenario; most of the others are said of its steps."""
_DROPPED = "_"
"""The name of an object that nobody asks for again."""
_ACTIONS = ("new", "call", "read")
_LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Scenario:
    """The steps of a scenario: calls, and what is expected of each."""

    calls: tuple[Call, ...]
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        """The steps as one would type them, the first of them where there are many."""
        texts: list[str] = []
        room = _LONGEST_TEXT
        for number, call in enumerate(self.calls):
            room -= len(call.text) + 2
            if room < 0 and texts:
                left = len(self.calls) - number
                return "; ".join(texts) + f"; … {left} more step{'s' if left > 1 else ''}"
            texts.append(call.text)
        return "; ".join(texts)


def decode_scenario(fields: Fields, context: Context, definitions: Definitions | None) -> Scenario | None:
    """Return the scenario of a case; None where something of it was reported."""
    for key in fields.present(*(name for name in fields.table.names if name not in _ALLOWED)):
        hint = "say it of a step" if key in STEP.names else ""
        context.reporter.report(fields.key_span(key), f"`{key}` does not go with `scenario`", hint)
    nodes = fields.items("scenario")
    if not nodes:
        return None
    if len(nodes) > MAX_STEPS or not context.allowance.spend_calls(len(nodes)):
        fields.report("scenario", f"a scenario can have at most {MAX_STEPS:,} steps")
        return None
    reader = _Reader(context, definitions)
    decoded = [reader.step(node) for node in nodes]
    found = [pair for pair in decoded if pair is not None]
    if len(found) < len(nodes):
        return None
    scenario = Scenario(tuple(call for call, _ in found), tuple(step for _, step in found))
    if fields.boolean("unchanged") and not any(map(_has_data, scenario.calls)):
        message = "`unchanged` has no effect: no step is given an argument that could be changed"
        context.reporter.report(fields.key_span("unchanged"), message)
    return scenario


def _has_data(call: Call) -> bool:
    arguments = [*call.args, *(value for _, value in call.kwargs)]
    return any(not isinstance(argument, Shipped | Bound) for argument in arguments)


class _Reader:
    """Reads step after step; knows what the earlier ones made."""

    def __init__(self, context: Context, definitions: Definitions | None) -> None:
        self._context = context
        self._definitions = definitions
        self._made: dict[str, str] = {}
        """The names of objects, each with its class as written, or "" where it is not a class's call."""

    def step(self, node: Node) -> tuple[Call, Step] | None:
        """Return a step; None where something of it was reported."""
        fields = open_fields(node, STEP, self._context.reporter)
        if fields is None:
            return None
        action = self._action(fields)
        call = self._call(fields, action) if action is not None else None
        bind = self._bind(fields, action, call)
        attempt = Attempt((call,), call.text, None) if call is not None else None
        reported, expect = decode_optional_expectation(fields, attempt, self._context, self._definitions)
        prints = decode_text(fields, "prints", self._context)
        picture = decode_step_picture(fields, action, self._context)
        if self._context.types and attempt is not None and expect is not None:
            check_classes(attempt, expect, self._definitions, fields.place, self._context)
        if call is None or bind is None or reported or (prints is None and fields.has("prints")):
            return None
        return bind, Step(expect, prints, picture)

    def _action(self, fields: Fields) -> str | None:
        present = fields.present(*_ACTIONS)
        if not present:
            message = "a step needs one of `new`, `call` and `read`"
            self._context.reporter.report(fields.place, message)
            return None
        for key in present[1:]:
            message = f"a step can't have both `{present[0]}` and `{key}`"
            self._context.reporter.report(fields.key_span(key), message, "write two steps")
        return present[0]

    def _bind(self, fields: Fields, action: str | None, call: Call | None) -> Call | None:
        """Return the call with the name under which its answer is kept."""
        scalar = fields.scalar("as")
        kept = action == "new" or fields.has("as")
        for key in fields.present("returns", "check"):
            if kept and action is not None:
                why = "`new`" if action == "new" else "`as`, which keeps the answer where it is"
                self._context.reporter.report(fields.key_span(key), f"`{key}` does not go with {why}")
        if fields.has("as") and fields.has("raises"):
            message = "`as` does not go with `raises`: an exception leaves nothing to keep"
            self._context.reporter.report(fields.key_span("as"), message)
        if fields.has("as") and scalar is None:
            return None
        name = scalar.text if scalar is not None else _DROPPED
        taken = dict.fromkeys(self._context.names, "a name of `let`")
        taken |= dict.fromkeys(self._made, "made by an earlier step")
        if scalar is not None and name != _DROPPED:
            if not check_new_name(scalar, taken, self._context.reporter):
                return None
            self._made[name] = call.function if call is not None and action == "new" else ""
        if call is None or not kept:
            return call
        text = call.text if name == _DROPPED else f"{name} = {call.text}"
        return Call(call.function, call.args, call.kwargs, text, bind=name, reads=call.reads)

    def _call(self, fields: Fields, action: str) -> Call | None:
        scalar = fields.scalar(action)
        expression = parse(scalar, self._context.reporter) if scalar is not None else None
        if expression is None:
            return None
        tree = expression.tree
        if action == "read":
            function = self._function(expression, tree, "only a name such as tour.N can be read here")
            return Call(function, (), text=function, reads=True) if function is not None else None
        if not isinstance(tree, ast.Call):
            example = "Tour(1, 3)" if action == "new" else "tour.move(3, 2)"
            message = f"`{action}` must be a call such as {example}"
            self._context.reporter.report(expression.whole, message)
            return None
        function = self._function(
            expression, tree.func, "only a name such as f or tour.move can be called here"
        )
        if function is None:
            return None
        return self._with_arguments(expression, function, tree)

    def _function(self, expression: Expression, node: ast.expr, otherwise: str) -> str | None:
        """Return a dotted name, which starts with what a step made or with a name of the module."""
        parts: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            parts.insert(0, inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            self._context.reporter.report(expression.span(node), otherwise)
            return None
        self._check_name(expression, inner, parts)
        return ".".join([inner.id, *parts])

    def _check_name(self, expression: Expression, first: ast.Name, parts: list[str]) -> None:
        name, known = first.id, self._definitions
        if name in self._made:
            members = known.classes.get(self._made[name]) if known is not None else None
            if parts and members is not None and parts[0] not in members:
                message = f"the reference's `{self._made[name]}` has no `{shown(parts[0])}`"
                hint = self._context.reporter.nearest(parts[0], sorted(members))
                self._context.reporter.report(expression.whole, message, hint)
            return
        if known is None or not known.complete or name in known.names:
            return
        message = f"no earlier step made `{shown(name)}`, and the reference has no such name in this module"
        hint = self._context.reporter.nearest(name, [*self._made, *sorted(known.names)])
        self._context.reporter.report(expression.span(first), message, hint)

    def _with_arguments(self, expression: Expression, function: str, tree: ast.Call) -> Call | None:
        written = written_arguments(self._context, expression, tree)
        ready: list[Ready] = []
        for argument in written:
            try:
                ready.append(self._argument(expression, argument))
            except Unusable:
                continue
        if len(ready) < len(tree.args) + len(tree.keywords):
            return None
        pairs = list(zip(written, ready, strict=True))
        texts = [a.labelled(r.text if r.text is not None else a.text) for a, r in pairs]
        return Call(
            function=function,
            args=tuple(r.value for a, r in pairs if not a.keyword),
            kwargs=tuple((a.keyword, r.value) for a, r in pairs if a.keyword),
            text=f"{function}({', '.join(texts)})",
        )

    def _argument(self, expression: Expression, written: Written) -> Ready:
        """Return an argument: a value, a lambda, or what an earlier step made.  Raises Unusable."""
        if isinstance(written.node, ast.Name) and written.node.id in self._made:
            return Ready(Bound(written.node.id), written.node.id)
        if not written.names.isdisjoint(self._made):
            for part in ast.walk(written.node):
                if isinstance(part, ast.Name) and part.id in self._made:
                    message = f"`{part.id}` is made by a step; it can only be an argument of its own"
                    self._context.reporter.report(expression.span(part), message)
            raise Unusable
        return prepare(self._context, expression, written, self._context.names, {})
