"""Python's `map`, `filter` and `iter`, for formulas and lambdas of a spec.

In Python a function that raises StopIteration ends the iteration over `map` as if there was no more, and
`all(map(f, items))` is True.  Here it is an exception that the function raised, as in a call of its own.
"""

from collections.abc import Callable, Iterable
from typing import Any


class _Raised(Exception):
    """Takes a StopIteration out of an iteration."""

    def __init__(self, error: StopIteration) -> None:
        super().__init__(str(error))
        self.error = error


def raised_in(error: BaseException) -> BaseException:
    """Return what the student's code raised: the exception itself, or the one that it takes along."""
    # Not `isinstance`: an exception can lie about its class, and raise where it is asked.
    return error.error if type(error) is _Raised else error


def _telling(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function that does the same, and does not end the iteration around it."""

    def call(*args: object) -> object:
        try:
            return function(*args)
        except StopIteration as error:
            raise _Raised(error) from error

    return call


class _OfPython(type):
    """The class of a class that stands for one of Python's."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.__base__ or cls)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.__base__ or cls)


# Only typing knows parameters of `map` and `filter`, so the classes below have none.
class _Map(map, metaclass=_OfPython):  # type: ignore[type-arg]
    def __new__(cls, function: Callable[..., object], *items: Iterable[Any], **options: Any) -> Any:
        return map(_telling(function), *items, **options)


class _Filter(filter, metaclass=_OfPython):  # type: ignore[type-arg]
    def __new__(cls, function: Callable[..., object] | None, items: Iterable[Any]) -> Any:
        return filter(_telling(bool if function is None else function), items)


def _iter(first: Any, *sentinel: object) -> Any:
    return iter(_telling(first), *sentinel) if sentinel else iter(first)


_Map.__name__, _Filter.__name__, _iter.__name__ = "map", "filter", "iter"

TELLING: dict[str, Any] = {"map": _Map, "filter": _Filter, "iter": _iter}
"""By the names of Python's."""


def telling(function: Any) -> Any:
    """Return what is called in place of a function of Python's; any other function itself."""
    return next((TELLING[each.__name__] for each in (map, filter, iter) if each is function), function)
