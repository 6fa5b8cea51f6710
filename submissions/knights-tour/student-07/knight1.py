# knight1.py -- moves on the board, all tours, the first tour
from functools import lru_cache

OFFSETS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def is_legal(dim, path, x):
    return 0 <= x[0] < dim and 0 <= x[1] < dim and x not in path


def legal_moves(dim, path, x):
    moves = []
    for dx, dy in OFFSETS:
        pos = (x[0] + dx, x[1] + dy)
        if is_legal(dim, path, pos):
            moves.append(pos)
    return moves


# A board of visited squares is one number here, so that it can go into a cache.

def to_bit(dim, pos):
    return 1 << (pos[0] * dim + pos[1])


def visited_bits(dim, path):
    bits = 0
    for pos in path:
        bits |= to_bit(dim, pos)
    return bits


@lru_cache(maxsize=None)
def neighbours(dim, pos):
    return [(p, to_bit(dim, p)) for p in legal_moves(dim, [], pos)]


@lru_cache(maxsize=None)
def count_from(dim, pos, visited):
    if visited == (1 << dim * dim) - 1:
        return 1
    total = 0
    for p, bit in neighbours(dim, pos):
        if not visited & bit:
            total += count_from(dim, p, visited | bit)
    return total


def count_tours(dim, path):
    return count_from(dim, path[0], visited_bits(dim, path))


def enum_tours(dim, path):
    visited = visited_bits(dim, path)
    if visited == (1 << dim * dim) - 1:
        return [path]
    tours = []
    for p, bit in neighbours(dim, path[0]):
        # only go where there is something to find
        if not visited & bit and count_from(dim, p, visited | bit) > 0:
            tours.extend(enum_tours(dim, [p] + path))
    return tours


def first(xs, f):
    for x in xs:
        result = f(x)
        if result is not None:
            return result
    return None


def first_tour(dim, path):
    if len(path) == dim * dim:
        return path
    # on an odd board the corners' colour has one square more
    if len(path) == 1 and dim % 2 == 1 and sum(path[0]) % 2 == 1:
        return None
    moves = legal_moves(dim, path, path[0])
    moves.sort(key=lambda m: len(legal_moves(dim, path, m)))
    return first(moves, lambda m: first_tour(dim, [m] + path))
