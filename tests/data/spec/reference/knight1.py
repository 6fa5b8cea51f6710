"""A small reference: knight's tours, the latest move first."""

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


class OffBoardError(Exception):
    """A square is not on the board."""


def is_legal(dim, path, x):
    return 0 <= x[0] < dim and 0 <= x[1] < dim and x not in path


def legal_moves(dim, path, x):
    squares = [(x[0] + dx, x[1] + dy) for dx, dy in MOVES]
    return [square for square in squares if is_legal(dim, path, square)]


def count_tours(dim, path):
    if len(path) == dim * dim:
        return 1
    return sum(count_tours(dim, [move, *path]) for move in legal_moves(dim, path, path[0]))


def first(xs, f):
    return next((y for y in map(f, xs) if y is not None), None)


def first_tour(dim, path):
    if len(path) == dim * dim:
        return path
    return first(legal_moves(dim, path, path[0]), lambda move: first_tour(dim, [move, *path]))
