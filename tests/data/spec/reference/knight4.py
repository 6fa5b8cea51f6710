"""The same, on the squares that a predicate allows."""

from knight1 import *
from knight1 import legal_moves as moves


def one_tour_pred(dim, path, n, f):
    if len(path) == n:
        return path
    allowed = [move for move in moves(dim, path, path[0]) if f(move)]
    return first(allowed, lambda move: one_tour_pred(dim, [move, *path], n, f))
