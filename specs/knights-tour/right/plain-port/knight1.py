# Part 1: moves, counting and enumerating tours, first tour
#
# Written straight after the description: lists for paths, recursion, no shortcuts.


def is_legal(dim, path, x):
    return 0 <= x[0] < dim and 0 <= x[1] < dim and x not in path


def legal_moves(dim, path, x):
    offsets = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    moves = [(x[0] + dx, x[1] + dy) for dx, dy in offsets]
    return [m for m in moves if is_legal(dim, path, m)]


def count_tours(dim, path):
    if len(path) == dim * dim:
        return 1
    return sum(count_tours(dim, [m, *path]) for m in legal_moves(dim, path, path[0]))


def enum_tours(dim, path):
    if len(path) == dim * dim:
        return [path]
    tours = []
    for m in legal_moves(dim, path, path[0]):
        tours += enum_tours(dim, [m, *path])
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
    return first(legal_moves(dim, path, path[0]), lambda m: first_tour(dim, [m, *path]))
