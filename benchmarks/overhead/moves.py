"""A submission as students write it."""

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def is_legal(dim, path, x):
    """Whether x is on the board and not on the path."""
    return 0 <= x[0] < dim and 0 <= x[1] < dim and x not in path


def legal_moves(dim, path, x):
    """The onward moves, clockwise."""
    found = []
    for dx, dy in MOVES:
        candidate = (x[0] + dx, x[1] + dy)
        if is_legal(dim, path, candidate):
            found.append(candidate)
    return found
