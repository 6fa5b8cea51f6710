# Name:       <name>
# Student ID: <student ID>
# E-mail:     <e-mail>
"""The knight of a 6 x 6 board: its square, the squares it visited, the squares it can go to."""


class KnightsTour:
    """A knight's tour under way.  Squares are rows and columns, both from 0 to N - 1."""

    N = 6

    def __init__(self, x: int, y: int) -> None:
        """Put the knight on row `x`, column `y`, which must be on the board."""
        self._position = (x, y)
        self._visited = {(x, y)}

    def print(self) -> None:
        """Print the board: K is the knight, O a square visited before, . one not visited yet."""
        columns = range(self.N)
        print(" ", *columns)
        for row in range(self.N):
            print(row, *(self._symbol(row, column) for column in columns))

    def _symbol(self, row: int, column: int) -> str:
        if (row, column) == self._position:
            return "K"
        return "O" if (row, column) in self._visited else "."

    def hasMoreMoves(self) -> bool:
        """Return whether the knight can move to a square that it has not visited."""
        return bool(self._moves_from(self._position))

    def isSolved(self) -> bool:
        """Return whether every square has been visited."""
        return len(self._visited) == self.N * self.N

    def move(self, x: int, y: int) -> bool:
        """Move the knight to row `x`, column `y`; return False, and change nothing, if it cannot go there."""
        if (x, y) not in self._moves_from(self._position):
            return False
        self._position = (x, y)
        self._visited.add((x, y))
        return True

    def lookAhead(self) -> tuple[int, int] | None:
        """Return the move after which the fewest moves are left, or None if there is no move.

        Among equals it is the one with the smallest row, then the smallest column.
        """
        moves = sorted(self._moves_from(self._position))
        return min(moves, key=lambda square: len(self._moves_from(square)), default=None)

    def _moves_from(self, square: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the squares not visited yet that are a knight's move away from `square`."""
        x, y = square
        return [
            (row, column)
            for row in range(max(0, x - 2), min(self.N, x + 3))
            for column in range(max(0, y - 2), min(self.N, y + 3))
            # Only 1 and 2 have the product 2.
            if abs(row - x) * abs(column - y) == 2 and (row, column) not in self._visited
        ]
