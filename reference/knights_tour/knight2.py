"""Knight's tours, part 2: Warnsdorff's rule, for closed tours and for larger boards."""

from knight1 import Goal, Path, Position, find_path, legal_moves


def ordered_moves(dim: int, path: Path, x: Position) -> list[Position]:
    """Return the legal moves from `x`, those with the fewest onward moves first, ties clockwise."""
    return sorted(legal_moves(dim, path, x), key=lambda move: len(legal_moves(dim, path, move)))


def first_closed_tour_heuristics(dim: int, path: Path) -> Path | None:
    """Return a tour that extends the path and ends a knight's move from its start, or None."""
    return find_path(Goal(dim, path, dim * dim, closed=True))


def first_tour_heuristics(dim: int, path: Path) -> Path | None:
    """Return a tour that extends the path, or None; boards of 30 x 30 take some hundredths of a second."""
    return find_path(Goal(dim, path, dim * dim))
