# knight3.py -- large boards
import sys

# enough for boards of 50x50
sys.setrecursionlimit(3000)

OFFSETS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def legal(dim, visited, x):
    return [
        (x[0] + dx, x[1] + dy)
        for dx, dy in OFFSETS
        if 0 <= x[0] + dx < dim and 0 <= x[1] + dy < dim and (x[0] + dx, x[1] + dy) not in visited
    ]


def ordered(dim, visited, x):
    return sorted(legal(dim, visited, x), key=lambda m: len(legal(dim, visited, m)))


def search(dim, walk, visited):
    if len(walk) == dim * dim:
        return walk
    for m in ordered(dim, visited, walk[-1]):
        walk.append(m)
        visited.add(m)
        if search(dim, walk, visited) is not None:
            return walk
        walk.pop()
        visited.remove(m)
    return None


def tour_on_mega_board(dim, path):
    found = search(dim, list(reversed(path)), set(path))
    return None if found is None else found[::-1]
