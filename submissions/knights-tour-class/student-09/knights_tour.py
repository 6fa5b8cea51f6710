# Name:       Student 9
# Student ID: 1155000009
# E-mail:     student-09@example.org
"""Knight's tour with the board outside of the class."""

board = []
position = (0, 0)


class KnightsTour:
    """A tour."""

    N = 6

    def __init__(self, x, y):
        global board, position
        board = [["."] * self.N for _ in range(self.N)]
        board[x][y] = "K"
        position = (x, y)

    def print(self):
        """Print the board."""
        print("  " + " ".join("012345"))
        for number, row in enumerate(board):
            print(f"{number} {' '.join(row)}")

    def hasMoreMoves(self):
        """Whether a move is left."""
        return possible(position) != []

    def isSolved(self):
        """Whether no dot is left."""
        return not any("." in row for row in board)

    def move(self, x, y):
        """Make a move."""
        global position
        if (x, y) not in possible(position):
            return False
        board[position[0]][position[1]] = "O"
        board[x][y] = "K"
        position = (x, y)
        return True

    def lookAhead(self):
        """Suggest a move."""
        return min(possible(position), key=lambda p: (len(possible(p)), p), default=None)


def possible(p):
    """The free squares a leap away."""
    return [
        (x, y)
        for x in range(KnightsTour.N)
        for y in range(KnightsTour.N)
        if sorted((abs(x - p[0]), abs(y - p[1]))) == [1, 2] and board[x][y] == "."
    ]
