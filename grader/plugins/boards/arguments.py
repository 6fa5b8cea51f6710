"""Looks at the arguments that a spec gives to our renderers."""

from collections.abc import Callable, Mapping

from grader.api.renderers import FITS, MAX_COLOURS, MAX_SIDE, Problem, Value

SIZE = "dim=None, columns=None, rows=None"
"""The parameters of a renderer that needs the size of a board."""


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


def unsuitable(arguments: Mapping[str, Value]) -> Problem:
    """Return the first argument that is unsuitable for a renderer of ours, and why."""
    for name, value in arguments.items():
        fits, expected = _TAKES[name]
        if not fits(value):
            return name, f"must be {expected}"
    return FITS


def unsuitable_or_unsized(arguments: Mapping[str, Value]) -> Problem:
    """Return the same for a renderer that needs the size of a board."""
    name, reason = unsuitable(arguments)
    if not reason and "dim" not in arguments and not {"columns", "rows"} <= arguments.keys():
        return "", "needs the size of the board: `dim`, or `columns` and `rows`"
    return name, reason
