"""Knight's tours, part 1."""

CLOCK = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def is_legal(dim, path, x):
    col, row = x
    if col < 0 or row < 0:
        return False
    if col >= dim or row >= dim:
        return False
    return x not in path


def legal_moves(dim, path, x):
    candidates = [(x[0] + a, x[1] + b) for a, b in CLOCK]
    return list(filter(lambda pos: is_legal(dim, path, pos), candidates))


class Board:
    """The free squares, and for each of them how many free neighbours it has."""

    def __init__(self, dim, path):
        squares = [(x, y) for x in range(dim) for y in range(dim)]
        self.near = {s: legal_moves(dim, [], s) for s in squares}
        self.free = set(squares)
        self.exits = {s: len(self.near[s]) for s in squares}
        for square in path:
            self.enter(square)

    def enter(self, square):
        self.free.remove(square)
        for other in self.near[square]:
            self.exits[other] -= 1

    def leave(self, square):
        self.free.add(square)
        for other in self.near[square]:
            self.exits[other] += 1

    def moves(self, square):
        """Free neighbours; none if two of them would be cut off."""
        onward = [s for s in self.near[square] if s in self.free]
        if len(self.free) > 1 and sum(1 for s in onward if self.exits[s] == 0) > 0:
            return []
        tight = [s for s in onward if self.exits[s] == 1]
        if len(tight) > 1:
            return tight if len(tight) == 2 else []
        return onward


def all_tours(dim, path):
    """Yield every tour, with a stack of iterators instead of recursion."""
    board = Board(dim, path)
    walk = list(path)[::-1]
    stack = [iter(board.moves(walk[-1]))]
    if not board.free:
        yield list(path)
    while stack:
        for move in stack[-1]:
            board.enter(move)
            walk.append(move)
            stack.append(iter(board.moves(move)))
            if not board.free:
                yield walk[::-1]
            break
        else:
            stack.pop()
            if stack:
                board.leave(walk.pop())


def count_tours(dim, path):
    return sum(1 for _ in all_tours(dim, path))


def enum_tours(dim, path):
    return list(all_tours(dim, path))


def first(xs, f):
    for result in map(f, xs):
        if result is not None:
            return result


def first_tour(dim, path):
    board = Board(dim, path)
    walk = list(path)[::-1]
    if dim % 2 and (sum(walk[0]) % 2):
        return None
    stack = [iter(sorted(board.moves(walk[-1]), key=board.exits.get))]
    while stack:
        if not board.free:
            return walk[::-1]
        move = next(stack[-1], None)
        if move is None:
            stack.pop()
            if stack:
                board.leave(walk.pop())
        else:
            board.enter(move)
            walk.append(move)
            stack.append(iter(sorted(board.moves(move), key=board.exits.get)))
    return None
