"""What stands for a function of the tests', and what it raises."""

from collections.abc import Callable, Sequence
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
