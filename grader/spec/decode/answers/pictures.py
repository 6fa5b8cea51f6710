"""The key `picture` of a question, a case or a step: the renderer that draws an answer."""

import ast
from functools import partial

from grader.judge.pictures.renderer import FITS, Renderer
from grader.model.case import Case, Rendering
from grader.model.kinds import kind_of
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.spec.decode.calling.calls import PlainCall, bind_to_checkers, read_plain_call
from grader.spec.expressions.context import Context
from grader.spec.reference.signatures import Arguments, bind
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable

_TAKEN = 2
"""How many parameters of a renderer the spec does not set: the answer and the expected answer."""


def decode_picture(fields: Fields, context: Context) -> Rendering | None:
    """Return the renderer that `picture` names, with its arguments; None if absent.  Raises Unusable."""
    if not fields.has("picture"):
        return None
    inner, key, always = fields.needed("picture"), "picture", False
    if isinstance(inner, Fields):
        fields, key, always = inner, "by", inner["always"]
    return _rendering(read_plain_call(fields, key, context), always, context)


def is_drawn(case: Case, fields: Fields) -> bool:
    """Tell whether a case has an answer to draw; report its own picture if it has none."""
    key = kind_of(case).undrawn(case)
    if key and fields.has("picture"):
        fields.report_key("picture", f"`picture` has no effect on a case with `{key}`")
    return key is None


def decode_step_picture(fields: Fields, action: str | None, context: Context) -> Rendering | None:
    """Return the renderer of a step; report a step without an answer to draw."""
    kept = "new" if action == "new" else "as"
    for key in (kept, "raises"):
        if fields.has("picture") and fields.has(key):
            fields.report_key("picture", f"`picture` has no effect on a step with `{key}`")
    return decode_picture(fields, context)


def _rendering(call: PlainCall, always: bool, context: Context) -> Rendering:
    name, checkers, reporter = call.function, context.checkers, context.reporter
    known = registry().names(Group.RENDERERS)
    if name in known and not (checkers is not None and name in checkers.functions):
        return Rendering(name, _bound(call, context), always=always)
    if context.has_checkers and (checkers is None or name in checkers.names or not checkers.complete):
        return Rendering(name, bind_to_checkers(call, "renderer", _TAKEN, context), own=True, always=always)
    known += checkers.functions if checkers is not None else ()
    reporter.report(call.place, f"there is no renderer `{shown(name)}`", reporter.nearest_or_all(name, known))
    raise Unusable


def _bound(call: PlainCall, context: Context) -> Arguments:
    """Return the arguments of a renderer that is no function of the spec's; report unsuitable ones."""
    name, reporter = call.function, context.reporter
    renderer: Renderer = registry().load(Group.RENDERERS, name)
    known = registry().attempt(Group.RENDERERS, name, partial(_parameters, renderer))
    if known is None:
        return ()
    bound = bind(name, known, call.given, call.place, reporter, noun="renderer", taken=_TAKEN)
    if len(bound) < len(call.given):
        return bound
    wrong, problem = registry().attempt(Group.RENDERERS, name, partial(renderer.problem, dict(bound))) or FITS
    if problem:
        spans = [argument.span for argument in call.given if argument.name == wrong]
        of = f"`{wrong}` of " if wrong else ""
        reporter.report(spans[0] if spans else call.place, f"{of}`{name}` {problem}")
    return bound


def _parameters(renderer: Renderer) -> ast.arguments:
    """Return the parameters of a renderer as a spec's call is bound to them."""
    (function,) = ast.parse(f"def renderer(actual, expected, {renderer.parameters}): ...").body
    assert isinstance(function, ast.FunctionDef)
    return function.args
