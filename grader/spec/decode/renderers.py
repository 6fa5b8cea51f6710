"""The built-in renderers as a spec may call them: their parameters, and what each can take.

The renderers themselves are in `grader.judge.pictures`; a test holds the parameters against theirs.
"""

import ast
from collections.abc import Callable, Mapping

from grader.model.drawing import MAX_COLOURS, MAX_SIDE
from grader.model.values import Value


def _parameters(text: str) -> ast.arguments:
    (function,) = ast.parse(f"def renderer({text}): ...").body
    assert isinstance(function, ast.FunctionDef)
    return function.args


_SIZE = "actual, expected, dim=None, columns=None, rows=None"

RENDERERS: Mapping[str, ast.arguments] = {
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


def problem_with(renderer: str, arguments: Mapping[str, Value]) -> tuple[str, str]:
    """Return which argument of a built-in renderer makes no sense, and why; two empty texts for none.

    The name is empty where it is not one argument that is wrong.
    """
    for name, value in arguments.items():
        fits, expected = _TAKES[name]
        if not fits(value):
            return name, f"`{name}` of `{renderer}` must be {expected}"
    if renderer in _SIZED and "dim" not in arguments and not {"columns", "rows"} <= arguments.keys():
        return "", f"`{renderer}` needs the size of the board: `dim`, or `columns` and `rows`"
    return "", ""
