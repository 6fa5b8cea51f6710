"""Draws inputs, and looks for the smallest one that fails.  Hypothesis is imported here alone.

The same seed gives the same inputs on every machine with the same release of Hypothesis: its database is
off, and so is the part that takes constants from the modules that happen to be loaded.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from grader.model.values import Value
from grader.spec.given.strategies import DrawStopped
from grader.values.python_text import literal

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Row: TypeAlias = tuple[Value, ...]
"""An input: the value of each name."""

_ROUNDS = 5
"""How often drawing starts again, with another seed, while there are fewer inputs than wanted."""


def draw_rows(rows: "SearchStrategy[Row]", count: int, seed: int) -> list[Row]:
    """Return so many inputs that differ, fewer where there are no more.  Raises `DrawStopped`."""
    found: dict[str, Row] = {}

    def keep(row: Row) -> bool:
        found.setdefault(literal(row), row)
        return len(found) >= count

    for number in range(_ROUNDS):
        before = len(found)
        if _search(rows, keep, count, seed + number, shrinks=False) or len(found) == before:
            break
    return list(found.values())


def smallest(rows: "SearchStrategy[Row]", fails: Callable[[Row], bool], count: int, seed: int) -> None:
    """Look for the smallest input that fails, among those of `draw_rows` and smaller ones.

    fails: called with inputs; it notes those that fail, and can raise `DrawStopped`.  count, seed: as in
        `draw_rows`.
    """
    known: dict[str, bool] = {}

    def again(row: Row) -> bool:
        key = literal(row)
        if key not in known:
            known[key] = fails(row)
        return known[key]

    # A round without a failing input draws the same as in `draw_rows`.
    with suppress(DrawStopped):
        for number in range(_ROUNDS):
            if _search(rows, again, count, seed + number, shrinks=True):
                break


def _search(
    rows: "SearchStrategy[Row]", condition: Callable[[Row], bool], tries: int, seed: int, *, shrinks: bool
) -> bool:
    """Draw until the condition holds, and then smaller ones if asked for; tell whether it ever held."""
    from hypothesis import HealthCheck, Phase, Verbosity, find, settings
    from hypothesis.errors import HypothesisException

    phases = [Phase.generate, Phase.shrink] if shrinks else [Phase.generate]
    quiet = settings(
        max_examples=tries,
        database=None,
        deadline=None,
        phases=phases,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        derandomize=False,
    )
    with _without_local_constants():
        try:
            find(rows, condition, settings=quiet, random=Random(seed))
        except HypothesisException:
            # Nothing meets the condition, or nothing could be drawn: the caller sees it by what it was given.
            return False
    return True


@contextmanager
def _without_local_constants() -> Iterator[None]:
    """Keep Hypothesis from drawing constants of loaded modules, which differ from process to process."""
    from hypothesis.internal.conjecture import providers

    name = "_get_local_constants"
    before = getattr(providers, name, None)
    if before is None:
        yield
        return
    empty = before().__class__()
    setattr(providers, name, lambda: empty)
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        setattr(providers, name, before)
        providers.CONSTANTS_CACHE.cache.clear()


def version() -> str:
    """Return the release of Hypothesis."""
    from importlib import metadata

    return metadata.version("hypothesis")
