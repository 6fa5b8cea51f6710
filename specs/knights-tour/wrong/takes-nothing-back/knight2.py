"""Knight's tours, part 2: Warnsdorff's rule.  Ties are in alphabetical order."""

from knight1 import Board, legal_moves


def ordered_moves(dim, path, x):
    return sorted(legal_moves(dim, path, x), key=lambda m: (len(legal_moves(dim, path, m)), m))


def tours(dim, path):
    """Yield tours, the likely ones first."""
    board = Board(dim, path)
    walk = list(path)[::-1]

    def order(square):
        onward = [s for s in board.near[square] if s in board.free]
        return iter(sorted(onward, key=lambda s: (board.exits[s], s)))

    stack = [order(walk[-1])]
    while stack:
        if not board.free:
            yield walk[::-1]
        move = next(stack[-1], None)
        if move is None:
            stack.pop()
            if stack:
                board.leave(walk.pop())
        else:
            board.enter(move)
            walk.append(move)
            stack.append(order(move))


def first_closed_tour_heuristics(dim, path):
    for tour in tours(dim, path):
        if tour[0] in legal_moves(dim, [], tour[-1]):
            return tour
    return None


def first_tour_heuristics(dim, path):
    path = list(path)
    while len(path) < dim * dim:
        moves = ordered_moves(dim, path, path[0])
        if not moves:
            return path
        path.insert(0, moves[0])
    return path
