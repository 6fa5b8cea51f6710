"""The key `picture` of a question, a case or a step: the renderer that draws an answer."""

import ast
from collections.abc import Callable

from grader.model.case import Case, Rendering
from grader.model.drawing import MAX_COLOURS, MAX_SIDE
from grader.model.kinds import kind_of
from grader.model.values import Value
from grader.spec.decode.calling.calls import PlainCall, bind_to_checkers, read_plain_call
from grader.spec.expressions.context import Context
from grader.spec.reference.signatures import bind
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
    if name in RENDERERS and not (checkers is not None and name in checkers.functions):
        bound = bind(name, RENDERERS[name], call.given, call.place, reporter, noun="renderer", taken=_TAKEN)
        wrong, problem = problem_with(name, dict(bound)) if len(bound) == len(call.given) else ("", "")
        if problem:
            spans = [argument.span for argument in call.given if argument.name == wrong]
            reporter.report(spans[0] if spans else call.place, problem)
        return Rendering(name, bound, always=always)
    if context.has_checkers and (checkers is None or name in checkers.names or not checkers.complete):
        return Rendering(name, bind_to_checkers(call, "renderer", _TAKEN, context), own=True, always=always)
    known = [*RENDERERS, *(checkers.functions if checkers is not None else ())]
    reporter.report(call.place, f"there is no renderer `{shown(name)}`", reporter.nearest_or_all(name, known))
    raise Unusable


def _parameters(text: str) -> ast.arguments:
    (function,) = ast.parse(f"def renderer({text}): ...").body
    assert isinstance(function, ast.FunctionDef)
    return function.args


_SIZE = "actual, expected, dim=None, columns=None, rows=None"

RENDERERS: dict[str, ast.arguments] = {
    "tour_board": _parameters(f"{_SIZE}, start=None, path=(), blocked=(), closed=False, by_row=False"),
    "numbered_board": _parameters("actual, expected, closed=False"),
    "squares": _parameters(f"{_SIZE}, at=None, taken=(), by_row=False"),
    "cells": _parameters("actual, expected"),
    "image": _parameters("actual, expected, palette=(), limit=None, tolerance=0"),
}

_SIZED = ("tour_board", "squares")


def _is_size(value: Value) -> bool:
    return type(value) is int and 1 <= value <= MAX_SIDE


def _is_position(value: Value) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(type(part) is int for part in value)


def _are_positions(value: Value) -> bool:
    return isinstance(value, tuple | list) and all(map(_is_position, value))


def _are_colours(value: Value) -> bool:
    return isinstance(value, tuple | list) and len(value) <= MAX_COLOURS - 2 and all(map(_is_colour, value))


def _is_colour(value: Value) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 3:
        return False
    return all(type(part) is int and 0 <= part <= 255 for part in value)


def _is_number(value: Value) -> bool:
    return type(value) in (int, float)


_TAKES: dict[str, tuple[Callable[[Value], bool], str]] = {
    "dim": (_is_size, f"a whole number from 1 to {MAX_SIDE}"),
    "columns": (_is_size, f"a whole number from 1 to {MAX_SIDE}"),
    "rows": (_is_size, f"a whole number from 1 to {MAX_SIDE}"),
    "start": (_is_position, "a position such as (0, 0)"),
    "at": (_is_position, "a position such as (0, 0)"),
    "path": (_are_positions, "a list of positions such as [(0, 0)]"),
    "blocked": (_are_positions, "a list of positions such as [(0, 0)]"),
    "taken": (_are_positions, "a list of positions such as [(0, 0)]"),
    "closed": (lambda value: type(value) is bool, "True or False"),
    "by_row": (lambda value: type(value) is bool, "True or False"),
    "palette": (_are_colours, f"a list of at most {MAX_COLOURS - 2} colours such as (255, 170, 0)"),
    "limit": (lambda value: type(value) is int, "a whole number"),
    "tolerance": (_is_number, "a number"),
}


def problem_with(renderer: str, arguments: dict[str, Value]) -> tuple[str, str]:
    """Return the first unsuitable argument of a built-in renderer, and why; else two empty texts.

    The name is empty for a mistake that concerns several arguments.
    """
    for name, value in arguments.items():
        fits, expected = _TAKES[name]
        if not fits(value):
            return name, f"`{name}` of `{renderer}` must be {expected}"
    if renderer in _SIZED and "dim" not in arguments and not {"columns", "rows"} <= arguments.keys():
        return "", f"`{renderer}` needs the size of the board: `dim`, or `columns` and `rows`"
    return "", ""
