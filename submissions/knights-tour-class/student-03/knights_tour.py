# Name:       Student 3
# Student ID: 1155000003
# E-mail:     student-03@example.org
"""Class for assignment 4."""

JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


class KnightsTour:
    """Stores the visited squares in a dictionary."""

    N = 6

    def __init__(self, x, y):
        self.seen = {(x, y): True}
        self.row, self.col = x, y

    def print(self):
        """Show the board."""
        print("  0 1 2 3 4 5 ")
        for r in range(6):
            line = f"{r} "
            for c in range(6):
                if r == self.row and c == self.col:
                    line += "K "
                elif (r, c) in self.seen:
                    line += "O "
                else:
                    line += ". "
            print(line)

    def options(self, r, c):
        """Squares to go to."""
        found = []
        for dr, dc in JUMPS:
            if 0 <= r + dr < 6 and 0 <= c + dc < 6 and (r + dr, c + dc) not in self.seen:
                found.append((r + dr, c + dc))
        return found

    def hasMoreMoves(self):
        """Any squares to go to?"""
        return self.options(self.row, self.col) != []

    def isSolved(self):
        """All squares seen?"""
        return len(self.seen) == 36

    def move(self, x, y):
        """Go there, if allowed."""
        if (x, y) in self.options(self.row, self.col):
            self.seen[x, y] = True
            self.row, self.col = x, y
            return True
        return False

    def lookAhead(self):
        """The option with the fewest further options."""
        options = self.options(self.row, self.col)
        if not options:
            return None
        return min(options, key=lambda option: len(self.options(*option)))
