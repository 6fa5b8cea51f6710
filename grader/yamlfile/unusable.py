"""The one way in which a part of a YAML file is refused: the mistake is reported, then `Unusable` is raised.

Who needs several parts takes them by `collecting`, so that the mistakes of all of them are reported at once:

    with collecting() as take:
        module = take(_module, fields, context)
        stdin = take(_stdin, fields, context)
    return ProgramRun(module, stdin)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


class Unusable(Exception):
    """There is no value, and the reason was reported."""


class Collector:
    """Takes parts one after another.  Made by `collecting`."""

    def __init__(self) -> None:
        self.failed = False

    def __call__(self, read: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what `read` returns; nothing where it raises Unusable, which `collecting` raises later.

        Within the block, a part that failed is None, whatever its type says.
        """
        try:
            return read(*args, **kwargs)
        except Unusable:
            self.failed = True
            return cast(T, None)


def if_usable(read: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Return what `read` returns; None where it raises Unusable, for those who can go on without it."""
    try:
        return read(*args, **kwargs)
    except Unusable:
        return None


@contextmanager
def collecting() -> Iterator[Collector]:
    """Read all parts of something.  Raises Unusable at the end of the block if one of them failed."""
    take = Collector()
    yield take
    if take.failed:
        raise Unusable
