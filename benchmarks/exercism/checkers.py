"""The checkers of the specs: unittest's assertions about an answer that are no plain comparison.

Where an assertion would raise something else than `AssertionError`, such as `None < 3`, the test fails too.
"""

import importlib
import operator
import re
from collections.abc import Callable
from typing import Any

_WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def truthy(answer: Any, value: bool = True) -> str | None:
    return _told(lambda: bool(answer) is value, f"bool({answer!r}) is {value}")


def compares(answer: Any, way: str, other: Any) -> str | None:
    return _told(lambda: _WAYS[way](answer, other), f"{answer!r} {way} {other!r}")


def one_of(answer: Any, choices: Any, value: bool = True) -> str | None:
    return _told(lambda: (answer in choices) is value, f"({answer!r} in {choices!r}) is {value}")


def has(answer: Any, item: Any, value: bool = True) -> str | None:
    return _told(lambda: (item in answer) is value, f"({item!r} in {answer!r}) is {value}")


def matches(answer: Any, pattern: str) -> str | None:
    return _told(lambda: re.search(pattern, answer), f"{answer!r} matches {pattern!r}")


def is_something(answer: Any) -> str | None:
    return _told(lambda: answer is not None, f"{answer!r} is not None")


def applied(answer: Any, function: str, others: list[Any], place: int, way: str, other: Any) -> str | None:
    module, _, name = function.partition(".")
    arguments = [*others[:place], answer, *others[place:]]

    def holds() -> Any:
        return _WAYS[way](getattr(importlib.import_module(module), name)(*arguments), other)

    return _told(holds, f"{function}{tuple(arguments)!r} {way} {other!r}")


def _told(holds: Callable[[], Any], words: str) -> str | None:
    try:
        return None if holds() else f"this does not hold: {words}"
    except Exception as error:
        return f"this raises {type(error).__name__}: {words}"
