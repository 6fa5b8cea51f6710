"""What stands for a function of the tests', and what it raises."""

from collections.abc import Callable, Sequence
from functools import cache, reduce
from keyword import iskeyword
from operator import or_
from typing import Any

from grader.wire.encoder import mro
from grader.worker.box.live.built_in import exception_named


class NoMethod:
    """What can be called as a function can, and becomes no method of a class that has it."""

    def __init__(self, call: Callable[..., object]) -> None:
        self._call = call
        self.__name__ = call.__name__

    def __call__(self, *args: object, **named: object) -> object:
        return self._call(*args, **named)


# A program is told so by Python where it uses more than calls.
NoMethod.__name__ = "function"


class _Default:
    """Stands for the value of a default, which stays in the test."""

    def __repr__(self) -> str:
        return "..."


_DEFAULT = _Default()


def dressed(
    call: Callable[..., object],
    value_of: Callable[[list[Any]], object],
    name: str,
    doc: str = "",
    is_function: bool = True,
    parameters: Sequence[Any] | None = None,
    annotations: Sequence[tuple[str, list[Any]]] = (),
) -> Callable[..., object]:
    """Return a function of the tests' as a program sees it.

    call: calls it.  value_of: returns the value of a node.  is_function: a class that has it makes it a
    method.  parameters, annotations: see `grader.plugins.tests.cell.library.callbacks`.
    """
    made: Any = call if parameters is None else _with_parameters(call, *parameters)
    made.__name__ = made.__qualname__ = name
    made.__doc__ = doc or None
    for of, node in annotations:
        made.__annotations__[of] = _annotation(node, value_of)
    return made if is_function else NoMethod(made)


def _annotation(node: list[Any], value_of: Callable[[list[Any]], object]) -> Any:
    parts = [_annotation(part, value_of) for part in node[1]] if node[0] in ("|", "[]") else []
    if node[0] == "|":
        return reduce(or_, parts)
    return parts[0][tuple(parts[1:])] if parts else value_of(node)


def _with_parameters(
    call: Callable[..., object],
    only: int,
    names: Sequence[str],
    defaults: int,
    star: str,
    named: Sequence[tuple[str, bool]],
    stars: str,
) -> Callable[..., object]:
    """Return a function with these parameters that calls another one with what it is given."""
    first = len(names) - defaults
    head = [f"{name}=_grader_default" if place >= first else name for place, name in enumerate(names)]
    head[only:only] = ["/"] if only else []
    head += [f"*{star}"] if star else ["*"] if named else []
    head += [f"{name}=_grader_default" if has_default else name for name, has_default in named]
    # What may be left out is handed on by its name, unless others follow by their places.
    by_place = len(names) if star else max(first, only)
    handed = [*names[:by_place], *([f"*{star}"] if star else [])]
    handed += [f"{name}={name}" for name in (*names[by_place:], *(name for name, _ in named))]
    rest = [f"**{stars}"] if stars else []
    every = [*names, *(name for name, _ in named), *filter(None, (star, stars))]
    if not all(map(_is_name, every)):
        return call
    text = f"lambda {', '.join(head + rest)}: _grader_call({', '.join(handed + rest)})"
    made: Callable[..., object] = _maker(text)(_without_defaults(call), _DEFAULT)
    return made


def _is_name(text: str) -> bool:
    # What a student's test calls its parameters becomes code here.
    is_free = not text.startswith(("__", "_grader"))
    return is_free and text.isascii() and text.isidentifier() and not iskeyword(text)


@cache
def _maker(text: str) -> Any:
    return eval(f"lambda _grader_call, _grader_default: {text}", {"__name__": "tests"})


def _without_defaults(call: Callable[..., object]) -> Callable[..., object]:
    def handed(*args: object, **named: object) -> object:
        while args and args[-1] is _DEFAULT:
            args = args[:-1]
        return call(*args, **{name: value for name, value in named.items() if value is not _DEFAULT})

    return handed


def attributes_of(function: Callable[..., object]) -> list[tuple[str, object]]:
    """Return what a program has set on a function of the tests'."""
    found = [(name, value) for name, value in vars(function).items() if type(name) is str]
    return [(name, value) for name, value in found if name.isidentifier() and not name.startswith("_")]


def raised(name: str, text: str, made: Any, args: Sequence[object] | None) -> BaseException:
    """Return the exception that a callback raised.

    name: the nearest class of Python's own.  made: its class if the program has that too, or without args
    the exception itself.
    """
    if args is not None:
        try:
            made = made(*args)
        except TypeError:
            # Such as one that makes its text of what it is given, and keeps the text alone.
            made = made.__new__(made)
            made.args = (*args,)
    if not any(base is BaseException for base in mro(type(made))):
        made = (exception_named(name) or RuntimeError)(text)
    error: BaseException = made
    return error
