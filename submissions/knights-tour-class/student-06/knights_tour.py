# Name:       Student 6
# Student ID: 1155000006
# E-mail:     student-06@example.org
"""Knight's tour."""

MOVES = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


class KnightsTour:
    """The tour."""

    N = 6

    def __init__(self, x, y):
        self.visited = [(x, y)]

    def print(self):
        """Print it."""
        rows = [[" "] + [str(n) for n in range(self.N)]]
        for i in range(self.N):
            rows.append([str(i)] + ["O" if (i, j) in self.visited else "." for j in range(self.N)])
        x, y = self.visited[-1]
        rows[x + 1][y + 1] = "K"
        for row in rows:
            print(" ".join(row))

    def targets(self, x, y):
        """Free squares to go to from (x, y)."""
        squares = [(x + dx, y + dy) for dx, dy in MOVES]
        board = range(self.N)
        return [(a, b) for a, b in squares if a in board and b in board and (a, b) not in self.visited]

    def hasMoreMoves(self):
        """Can it go on?"""
        return len(self.targets(*self.visited[-1])) != 0

    def isSolved(self):
        """Is it done?"""
        return len(self.visited) == 36

    def move(self, x, y):
        """Go to (x, y)."""
        if (x, y) in self.targets(*self.visited[-1]):
            self.visited.append((x, y))
            return True
        return False

    def lookAhead(self):
        """Pick the next square: sort by the number of onward moves until nothing changes."""
        squares = self.targets(*self.visited[-1])
        changed = True
        while changed:
            changed = False
            for i in range(len(squares) - 1):
                if len(self.targets(*squares[i])) >= len(self.targets(*squares[i + 1])):
                    squares[i], squares[i + 1] = squares[i + 1], squares[i]
                    changed = True
        return squares[0] if squares else None
