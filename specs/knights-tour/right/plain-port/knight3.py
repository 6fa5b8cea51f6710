# Part 3: mega boards, with a list of paths still to be tried instead of recursion


def is_legal(dim, path, x):
    return 0 <= x[0] < dim and 0 <= x[1] < dim and x not in path


def legal_moves(dim, path, x):
    offsets = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    moves = [(x[0] + dx, x[1] + dy) for dx, dy in offsets]
    return [m for m in moves if is_legal(dim, path, m)]


def ordered_moves(dim, path, x):
    return sorted(legal_moves(dim, path, x), key=lambda m: len(legal_moves(dim, path, m)))


def tour_on_mega_board(dim, path):
    todo = [path]
    while todo:
        path = todo.pop()
        if len(path) == dim * dim:
            return path
        for m in reversed(ordered_moves(dim, path, path[0])):
            todo.append([m, *path])
    return None
