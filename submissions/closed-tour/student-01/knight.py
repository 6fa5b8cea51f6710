"""CSE221 assignment 2: closed knight's tours.

The search keeps a stack of lists: for every square of the path the squares that are still to be tried
after it.  A branch is left as soon as some free square has fewer than two free neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass

MOVES = ((-2, -1), (-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2))


@dataclass(frozen=True)
class Square:
    i: int
    j: int


def move(s: Square, d: int) -> Square:
    di, dj = MOVES[d - 1]
    return Square(s.i + di, s.j + dj)


def moveBack(s: Square, d: int) -> Square:
    di, dj = MOVES[d - 1]
    return Square(s.i - di, s.j - dj)


class Board:
    def __init__(self, m: int, n: int, rows: list[list[int]]) -> None:
        self.m, self.n = m, n
        self._cells = {Square(i, j): rows[i][j] for i in range(m) for j in range(n)}

    def inRange(self, s: Square) -> bool:
        return s in self._cells

    def get(self, s: Square) -> int:
        if s not in self._cells:
            raise RuntimeError(f"{s} is not on the board")
        return self._cells[s]

    def set(self, s: Square, v: int) -> None:
        if s not in self._cells:
            raise RuntimeError(f"{s} is not on the board")
        self._cells[s] = v

    def emptySquares(self) -> list[Square]:
        return [s for s, v in self._cells.items() if v == 0]

    def nEmpty(self) -> int:
        return len(self.emptySquares())

    def emptySquare(self) -> Square:
        return self.emptySquares()[-1]

    def __str__(self) -> str:
        rows = [[self._cells[Square(i, j)] for j in range(self.n)] for i in range(self.m)]
        return "\n".join(map(str, (self.m, self.n))) + "\n" + "\n".join(" ".join(map(str, r)) for r in rows)


def read_board(text: str) -> Board:
    numbers = iter(text.split())
    m, n = int(next(numbers)), int(next(numbers))
    return Board(m, n, [[int(next(numbers)) for _ in range(n)] for _ in range(m)])


def knightsTour(board: Board) -> bool:
    free = set(board.emptySquares())
    black = sum((s.i + s.j) % 2 for s in free)
    if not free or 2 * black != len(free):
        return False
    near = {s: [t for d in range(1, 9) if (t := move(s, d)) in free] for s in free}
    if len(free) == 2:
        tour = list(free) if near[board.emptySquare()] else []
    else:
        tour = search(near)
    for number, square in enumerate(tour, start=1):
        board.set(square, number)
    return len(tour) > 0


def search(near: dict[Square, list[Square]]) -> list[Square]:
    start = min(near, key=lambda s: (len(near[s]), s.i, s.j))
    path, used = [start], {start}
    untried = [ordered(start, near, used)]
    while untried:
        if not untried[-1]:
            untried.pop()
            used.remove(path.pop())
            continue
        square = untried[-1].pop()
        path.append(square)
        used.add(square)
        if len(path) == len(near):
            if start in near[square]:
                return path
            untried.append([])
        elif hopeless(start, path, near, used):
            untried.append([])
        else:
            untried.append(ordered(square, near, used))
    return []


def ordered(square: Square, near: dict[Square, list[Square]], used: set[Square]) -> list[Square]:
    """The free neighbours, the most promising last."""
    return sorted(
        (t for t in near[square] if t not in used),
        key=lambda t: -sum(u not in used for u in near[t]),
    )


def hopeless(start: Square, path: list[Square], near: dict[Square, list[Square]], used: set[Square]) -> bool:
    """Some free square beside the last ones can't have two neighbours in the tour any more."""
    head = path[-1]
    if all(t in used for t in near[start]):
        return True
    for square in near[path[-2]]:
        if square not in used:
            ways = sum(t not in used or t == head or t == start for t in near[square])
            if ways < 2:
                return True
    return False
