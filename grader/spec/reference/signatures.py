"""Binds the arguments of a spec to the parameters of a checker or a renderer."""

import ast
from dataclasses import dataclass
from typing import TypeAlias

from grader.model.values import Value
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Span, shown

Arguments: TypeAlias = tuple[tuple[str, Value], ...]
"""Arguments by keyword."""


@dataclass(frozen=True, slots=True)
class GivenArgument:
    """An argument of such a call; `name` is empty for a positional one."""

    name: str
    value: Value
    span: Span


def bind(
    function: str,
    parameters: ast.arguments,
    given: list[GivenArgument],
    place: Span,
    reporter: Reporter,
    *,
    noun: str = "checker",
    taken: int = 1,
    first: str = "the answer",
) -> Arguments:
    """Return all arguments by keyword; report those that do not fit and those that are missing.

    noun: "checker" or "renderer", for messages.  first: what the first parameter gets, if one is taken.
    taken: how many of the first parameters the spec does not set, such as the answer.
    """
    checker = f"{noun} `{function}`"
    positional = [*parameters.posonlyargs, *parameters.args]
    if len(positional) < taken and parameters.vararg is None:
        what = (
            f"no {first.removeprefix('the ').removeprefix('a ')}: it has no positional parameter"
            if taken == 1
            else f"less than {taken} values by position"
        )
        reporter.report(place, f"{checker} takes {what}")
        return ()
    answer = [argument.arg for argument in positional[:taken]]
    by_position = [argument.arg for argument in parameters.args if argument.arg not in answer]
    by_keyword = by_position + [argument.arg for argument in parameters.kwonlyargs]
    bound: dict[str, Value] = {}
    free = iter(by_position)
    for argument in given:
        name = argument.name or next(free, "")
        if not name:
            hint = f"it takes {first} and {len(by_position)} more by position"
            reporter.report(argument.span, f"too many arguments for {checker}", hint)
        elif name in bound:
            reporter.report(argument.span, f"`{name}` is given twice to {checker}")
        elif name not in by_keyword and (parameters.kwarg is None or name in answer):
            message = f"{checker} has no parameter `{shown(name)}` for the spec to set"
            reporter.report(argument.span, message, reporter.nearest_or_all(name, by_keyword))
        else:
            bound[name] = argument.value
    missing = [name for name in _required(parameters, taken) if name not in bound]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        reporter.report(place, f"{checker} needs {names} too")
    return tuple(bound.items())


def _required(parameters: ast.arguments, taken: int) -> list[str]:
    """Return the parameters without default that the spec must set."""
    positional = [*parameters.posonlyargs, *parameters.args]
    without_default = positional[: len(positional) - len(parameters.defaults)]
    names = [argument.arg for argument in without_default[taken:]]
    keyword_only = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    return names + [argument.arg for argument, default in keyword_only if default is None]
