# knight.py

JUMPS = [(-2, -1), (-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2)]


class Square:
    def __init__(self, i, j):
        self.i = i
        self.j = j

    def __eq__(self, other):
        if not isinstance(other, Square):
            return NotImplemented
        return self.i == other.i and self.j == other.j


def move(s, d):
    a, b = JUMPS[d - 1]
    return Square(s.i + a, s.j + b)


def moveBack(s, d):
    a, b = JUMPS[d - 1]
    return Square(s.i - a, s.j - b)


class Board:
    def __init__(self, m, n, rows):
        self.m = m
        self.n = n
        self.rows = [list(row) for row in rows]

    def inRange(self, s):
        return s.i < self.m and s.j < self.n

    def get(self, s):
        if not self.inRange(s):
            raise RuntimeError("out of range")
        return self.rows[s.i][s.j]

    def set(self, s, v):
        if not self.inRange(s):
            raise RuntimeError("out of range")
        self.rows[s.i][s.j] = v

    def nEmpty(self):
        return sum(row.count(0) for row in self.rows)

    def emptySquare(self):
        for i in range(self.m):
            for j in range(self.n):
                if self.rows[i][j] == 0:
                    return Square(i, j)
        raise RuntimeError("no empty square")

    def __str__(self):
        lines = [str(self.m), str(self.n)]
        lines += [" ".join(map(str, row)) for row in self.rows]
        return "\n".join(lines) + "\n"


def read_board(text):
    lines = text.split("\n")
    m, n = int(lines[0]), int(lines[1])
    return Board(m, n, [[int(word) for word in line.split()] for line in lines[2 : 2 + m]])


def knightsTour(board):
    total = board.nEmpty()
    squares = [(i, j) for i in range(board.m) for j in range(board.n) if board.get(Square(i, j)) == 0]
    if total < 2 or sum(1 if (i + j) % 2 else -1 for i, j in squares) != 0:
        return False
    empty = set(squares)
    around = {s: [t for a, b in JUMPS if (t := (s[0] + a, s[1] + b)) in empty] for s in squares}
    if total == 2:
        path = squares if around[squares[0]] else []
    else:
        path = search(squares, around)
    for number, (i, j) in enumerate(path, 1):
        board.set(Square(i, j), number)
    return bool(path)


def search(squares, around):
    """Return a closed tour as a list of squares, or an empty list."""
    start = min(squares, key=lambda s: len(around[s]))
    # Ways from a square that are not yet blocked by a square that the path went through.
    ways = {s: len(around[s]) for s in squares}
    if min(ways.values()) < 2:
        return []
    path, seen = [start], {start}
    choices = [list(around[start])]
    while path:
        here = path[-1]
        if not choices[-1]:
            choices.pop()
            path.pop()
            seen.discard(here)
            if len(path) > 1:
                for t in around[path[-1]]:
                    ways[t] += 1
            continue
        there = choices[-1].pop()
        if here != start:
            for t in around[here]:
                ways[t] -= 1
        path.append(there)
        seen.add(there)
        if len(path) == len(squares) and start in around[there]:
            return path
        cut_off = here != start and any(ways[t] < 2 for t in around[here] if t not in seen)
        no_way_back = all(t in seen for t in around[start])
        onward = [] if cut_off or no_way_back else [t for t in around[there] if t not in seen]
        onward.sort(key=lambda t: -sum(1 for u in around[t] if u not in seen))
        choices.append(onward)
    return []
