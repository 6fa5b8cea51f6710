# Part 4: mutilated boards


def is_legal(dim, path, x):
    return 0 <= x[0] < dim and 0 <= x[1] < dim and x not in path


def legal_moves(dim, path, x):
    offsets = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    moves = [(x[0] + dx, x[1] + dy) for dx, dy in offsets]
    return [m for m in moves if is_legal(dim, path, m)]


def first(xs, f):
    for x in xs:
        result = f(x)
        if result is not None:
            return result
    return None


def one_tour_pred(dim, path, n, f):
    if len(path) == n:
        return path
    moves = [m for m in legal_moves(dim, path, path[0]) if f(m)]
    return first(moves, lambda m: one_tour_pred(dim, [m, *path], n, f))
