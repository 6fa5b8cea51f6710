"""The modules that a rule covers: its own modules, and the modules that these can import."""

from collections.abc import Callable, Collection, Iterable

Imports = frozenset[str] | None
"""The modules of the submission that a module imports; None if any is possible."""


def closure(
    start: Iterable[str], imports_of: Callable[[str], Imports], names: Collection[str]
) -> tuple[str, ...]:
    """Return the modules of `names` that can be imported from `start`, sorted; all if one may import any."""
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
