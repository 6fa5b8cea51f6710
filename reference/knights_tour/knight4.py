"""Knight's tours, part 4: boards with squares missing."""

from collections.abc import Callable

from knight1 import Goal, Path, Position, find_path


def one_tour_pred(dim: int, path: Path, n: int, f: Callable[[Position], bool]) -> Path | None:
    """Return a path of exactly `n` squares that extends `path`, or None.

    The knight only enters squares of which `f` is true; the path as given need not satisfy it.
    """
    return find_path(Goal(dim, path, n, allowed=f))
