class Square:
    def __init__(self, i, j):
        self.i = i
        self.j = j

    def __eq__(self, other):
        return self.i == other.i and self.j == other.j


DI = [-2, -2, -1, 1, 2, 2, 1, -1]
DJ = [-1, 1, 2, 2, 1, -1, -2, -2]


def move(s, d):
    return Square(s.i + DI[d - 1], s.j + DJ[d - 1])


def moveBack(s, d):
    return Square(s.i - DI[d - 1], s.j - DJ[d - 1])


class Board:
    def __init__(self, m, n, rows):
        self.m = m
        self.n = n
        self.M = [list(r) for r in rows]

    def inRange(self, s):
        return 0 <= s.i < self.m and 0 <= s.j < self.n

    def get(self, s):
        if not self.inRange(s):
            raise RuntimeError("out of range")
        return self.M[s.i][s.j]

    def set(self, s, v):
        if not self.inRange(s):
            raise RuntimeError("out of range")
        self.M[s.i][s.j] = v

    def nEmpty(self):
        k = 0
        for row in self.M:
            for x in row:
                if x == 0:
                    k += 1
        return k

    def emptySquare(self):
        for i in range(self.m):
            for j in range(self.n):
                if self.M[i][j] == 0:
                    return Square(i, j)

    def __str__(self):
        lines = [str(self.m), str(self.n)]
        for row in self.M:
            lines.append(" ".join(str(x) for x in row))
        return "\n".join(lines) + "\n"


def read_board(text):
    words = text.split()
    m, n = int(words[0]), int(words[1])
    rows = []
    k = 2
    for i in range(m):
        rows.append([int(w) for w in words[k:k + n]])
        k += n
    return Board(m, n, rows)


def knightsTour(board):
    k = board.nEmpty()
    if k == 0:
        return False
    stack = []
    start = board.emptySquare()
    pos = start
    stack.append(0)
    board.set(pos, 1)
    while True:
        d = stack[-1]
        if d < 8:
            stack.pop()
            d += 1
            stack.append(d)
            s = move(pos, d)
            if board.inRange(s) and board.get(s) == 0:
                pos = s
                stack.append(0)
                board.set(s, len(stack))
                if len(stack) == k:
                    for e in range(1, 9):
                        if move(pos, e) == start:
                            return True
        else:
            stack.pop()
            if len(stack) == 0:
                return False
            board.set(pos, 0)
            pos = moveBack(pos, stack[-1])
