"""How answers are to be drawn: the key `picture` of a question, a case or a step."""

import ast

from grader.model.case import Case, Raises, Rendering
from grader.model.values import Value
from grader.spec.decode.arguments import plain_arguments
from grader.spec.decode.calls import WrittenCall, read_call
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Unusable
from grader.spec.keys import PICTURE
from grader.spec.reference.signatures import Given, bind
from grader.yamlfile.nodes import Mapping
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields, open_fields

_TAKEN = 2
"""Parameters of a renderer that the spec does not set: the answer and what was expected."""


def decode_picture(fields: Fields, context: Context) -> Rendering | None:
    """Return how `picture` says to draw an answer; None where it says nothing or was reported."""
    node = fields.node("picture")
    if node is None:
        return None
    key, always = "picture", False
    if isinstance(node, Mapping):
        inner = open_fields(node, PICTURE, context.reporter)
        if inner is None:
            return None
        fields, key, always = inner, "by", inner.boolean("always") or False
    written = read_call(fields, key, context)
    if written is None:
        return None
    try:
        arguments = plain_arguments(context, written.expression, written.tree)
    except Unusable:
        return None
    given = [Given(a.keyword, value, written.expression.span(a.place)) for a, value in arguments]
    return _rendering(written, given, always, context)


def is_drawn(case: Case, fields: Fields, context: Context) -> bool:
    """Tell whether a case has an answer that can be drawn; report a picture of its own that has none."""
    if case.steps:
        return False
    for key, has_none in (("raises", isinstance(case.expect, Raises)), ("rule", case.rule is not None)):
        if has_none and fields.has("picture"):
            message = f"`picture` has no effect on a case with `{key}`"
            context.reporter.report(fields.key_span("picture"), message)
        if has_none:
            return False
    return True


def decode_step_picture(fields: Fields, action: str | None, context: Context) -> Rendering | None:
    """Return how a step says to draw its answer; report a step that has none."""
    kept = "new" if action == "new" else "as"
    for key in (kept, "raises"):
        if fields.has("picture") and fields.has(key):
            message = f"`picture` has no effect on a step with `{key}`"
            context.reporter.report(fields.key_span("picture"), message)
    return decode_picture(fields, context) if fields.has("picture") else None


def _rendering(written: WrittenCall, given: list[Given], always: bool, context: Context) -> Rendering | None:
    name, place = written.function, written.expression.span(written.tree.func)
    from grader.spec.decode.renderers import RENDERERS, problem_with  # few specs have pictures

    checkers = context.checkers
    if checkers is not None and name in checkers.functions:
        bound = _bound(name, checkers.functions[name], given, place, context)
        return Rendering(name, bound, own=True, always=always)
    if name in RENDERERS:
        bound = _bound(name, RENDERERS[name], given, place, context)
        wrong, problem = problem_with(name, dict(bound)) if len(bound) == len(given) else ("", "")
        if problem:
            spans = [each.span for each in given if each.name == wrong]
            context.reporter.report(spans[0] if spans else place, problem)
        return Rendering(name, bound, always=always)
    if context.has_checkers and (checkers is None or name in checkers.names or not checkers.complete):
        return _unknown_parameters(name, given, place, always, context)
    known = [*RENDERERS, *(checkers.functions if checkers is not None else ())]
    hint = context.reporter.nearest_or_all(name, known)
    context.reporter.report(place, f"there is no renderer `{shown(name)}`", hint)
    return None


def _unknown_parameters(
    name: str, given: list[Given], place: Span, always: bool, context: Context
) -> Rendering:
    """Return the rendering by something of the checkers file whose parameters can't be told."""
    if any(not each.name for each in given):
        message = f"the parameters of renderer `{shown(name)}` are not known; name each argument"
        context.reporter.report(place, message)
    return Rendering(name, tuple((each.name, each.value) for each in given), own=True, always=always)


def _bound(
    name: str, parameters: ast.arguments, given: list[Given], place: Span, context: Context
) -> tuple[tuple[str, Value], ...]:
    return bind(name, parameters, given, place, context.reporter, noun="renderer", taken=_TAKEN)
