# Name: Sample Program
# Student ID: 00000000
# E-mail: sample@example.org
"""The class KnightsTour."""

LEAPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


class KnightsTour:
    """A knight's tour on a board of 6 x 6 squares."""

    N = 6

    def __init__(self, x, y):
        self.board = [[False] * (self.N + 2) for _ in range(self.N + 2)]
        self.board[x][y] = True
        self.x = x
        self.y = y

    def print(self):
        """Print the board."""
        print("  " + " ".join(str(column) for column in range(self.N)))
        for row in range(self.N):
            symbols = [self.symbol(row, column) for column in range(self.N)]
            print(str(row) + " " + " ".join(symbols))

    def symbol(self, row, column):
        """Return what stands on a square."""
        if (row, column) == (self.x, self.y):
            return "K"
        return "O" if self.board[row][column] else "."

    def is_free(self, row, column):
        """Tell whether a square is on the board and was not visited."""
        return row >= 0 and column >= 0 and not self.board[row][column]

    def moves(self, row, column):
        """Return the free squares a knight's move away, smaller rows first."""
        return [(row + i, column + j) for i, j in LEAPS if self.is_free(row + i, column + j)]

    def hasMoreMoves(self):
        """Tell whether the knight can move."""
        return len(self.moves(self.x, self.y)) > 0

    def isSolved(self):
        """Tell whether every square was visited."""
        return all(all(row[: self.N]) for row in self.board[: self.N])

    def move(self, x, y):
        """Move the knight, if it can move there."""
        if (x, y) not in self.moves(self.x, self.y):
            return False
        self.board[x][y] = True
        self.x = x
        self.y = y
        return True

    def lookAhead(self):
        """Suggest the move that leaves the fewest onward moves."""
        best = None
        fewest = 9
        for row, column in self.moves(self.x, self.y):
            count = len(self.moves(row, column))
            if count < fewest:
                best = (row, column)
                fewest = count
        return best
