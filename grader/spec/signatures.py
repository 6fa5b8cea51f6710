"""Whether a checker can take the arguments that the spec gives it; gives each its parameter's name."""

import ast
from dataclasses import dataclass

from grader.model.values import Value
from grader.spec.reporter import Reporter
from grader.spec.source import Span, shown


@dataclass(frozen=True, slots=True)
class Given:
    """An argument of a checker call; `name` is empty for a positional one."""

    name: str
    value: Value
    span: Span


def bind(
    checker: str, parameters: ast.arguments, given: list[Given], place: Span, reporter: Reporter
) -> tuple[tuple[str, Value], ...]:
    """Return all arguments by keyword; report those that do not fit and those that are missing.

    The answer goes to the first parameter, so the spec's arguments start with the second.
    """
    positional = [*parameters.posonlyargs, *parameters.args]
    if not positional and parameters.vararg is None:
        reporter.report(place, f"checker `{checker}` takes no answer: it has no positional parameter")
        return ()
    answer = [argument.arg for argument in positional[:1]]
    by_position = [argument.arg for argument in parameters.args if argument.arg not in answer]
    by_keyword = by_position + [argument.arg for argument in parameters.kwonlyargs]
    bound: dict[str, Value] = {}
    free = iter(by_position)
    for argument in given:
        name = argument.name or next(free, "")
        if not name:
            hint = f"it takes the answer and {len(by_position)} more by position"
            reporter.report(argument.span, f"too many arguments for checker `{checker}`", hint)
        elif name in bound:
            reporter.report(argument.span, f"`{name}` is given twice to checker `{checker}`")
        elif name not in by_keyword and (parameters.kwarg is None or name in answer):
            message = f"checker `{checker}` has no parameter `{shown(name)}` for the spec to set"
            reporter.report(argument.span, message, reporter.nearest_or_all(name, by_keyword))
        else:
            bound[name] = argument.value
    missing = [name for name in _required(parameters) if name not in bound]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        reporter.report(place, f"checker `{checker}` needs {names} too")
    return tuple(bound.items())


def _required(parameters: ast.arguments) -> list[str]:
    """Return the parameters without default, the first one left out, which takes the answer."""
    positional = [*parameters.posonlyargs, *parameters.args]
    without_default = positional[: len(positional) - len(parameters.defaults)]
    names = [argument.arg for argument in without_default[1:]]
    keyword_only = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    return names + [argument.arg for argument, default in keyword_only if default is None]
