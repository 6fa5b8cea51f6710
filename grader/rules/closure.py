"""Which modules of a submission others can import: the ground that a rule covers."""

from collections.abc import Callable, Collection, Iterable

Imports = frozenset[str] | None
"""The modules of the submission that a module imports; None: that can't be told, so it may be any."""


def closure(
    start: Iterable[str], imports_of: Callable[[str], Imports], names: Collection[str]
) -> tuple[str, ...]:
    """Return the modules of `names` that are reached from `start`, sorted; all where that can't be told."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name in found or name not in names:
            continue
        found.add(name)
        imported = imports_of(name)
        if imported is None:
            return tuple(sorted(names))
        waiting.extend(imported)
    return tuple(sorted(found))
