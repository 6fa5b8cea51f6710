"""Knight's tours, part 4: mutilated boards."""

from knight1 import legal_moves


def one_tour_pred(dim, path, n, f):
    def onward(path):
        return [m for m in legal_moves(dim, path, path[0]) if f(m)]

    todo = [path]
    while todo:
        path = todo.pop()
        if len(path) == n:
            return path
        moves = onward(path)
        moves.sort(key=lambda m: len(onward([m] + path)), reverse=True)
        todo += [[m] + path for m in moves]
    return None
