# Name:       Student 1
# Student ID: 1155000001
# E-mail:     student-01@example.org
"""A knight's tour on a small chessboard."""

from itertools import product


class KnightsTour:
    """Where the knight is and where it has been."""

    N = 6

    def __init__(self, x: int, y: int) -> None:
        self._path: list[tuple[int, int]] = [(x, y)]

    def print(self) -> None:
        """Print the board with row and column numbers."""
        print(" ", *range(self.N))
        for row in range(self.N):
            print(row, *(self._symbol((row, col)) for col in range(self.N)))

    def _symbol(self, square: tuple[int, int]) -> str:
        if square == self._path[-1]:
            return "K"
        return "O" if square in self._path else "."

    def _next(self, square: tuple[int, int]) -> list[tuple[int, int]]:
        """All unvisited squares that a knight on `square` can jump to, in reading order."""
        x, y = square
        return [
            (row, col)
            for row, col in product(range(self.N), repeat=2)
            if {abs(row - x), abs(col - y)} == {1, 2} and (row, col) not in self._path
        ]

    def hasMoreMoves(self) -> bool:
        """Is there a square left to jump to?"""
        return bool(self._next(self._path[-1]))

    def isSolved(self) -> bool:
        """Has every square been visited?"""
        return len(self._path) == self.N**2

    def move(self, x: int, y: int) -> bool:
        """Jump to row x, column y if that is a valid move."""
        valid = (x, y) in self._next(self._path[-1])
        if valid:
            self._path.append((x, y))
        return valid

    def lookAhead(self) -> tuple[int, int] | None:
        """Suggest the square with the fewest onward moves; min() keeps the first of equals."""
        return min(self._next(self._path[-1]), key=lambda square: len(self._next(square)), default=None)
