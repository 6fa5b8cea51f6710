"""Assignment 4."""
import os


class KnightsTour:
    """The class of assignment 4."""

    N = 6

    def __init__(self, x, y):
        self.x = x
        self.y = y
        self.done = {(x, y)}

    def print(self):
        """Print the board."""
        print("  0 1 2 3 4 5")
        for i in range(6):
            print(i, end="")
            for j in range(6):
                print(" " + self.sign(i, j), end="")
            print()

    def sign(self, i, j):
        """The sign for a square."""
        if i == self.x and j == self.y:
            return "K"
        if (i, j) in done:
            return "O"
        return "."

    def free(self, i, j):
        """Squares to move to."""
        return [
            (a, b)
            for a in range(6)
            for b in range(6)
            if (a - i) ** 2 + (b - j) ** 2 == 5 and (a, b) not in self.done
        ]

    def hasMoreMoves(self):
        """Moves left?"""
        return len(self.free(self.x, self.y)) > 0

    def isSolved(self):
        """Board full?"""
        return len(self.done) == 36

    def move(self, x, y):
        """Move."""
        if (x, y) in self.free(self.x, self.y):
            self.x, self.y = x, y
            self.done.add((x, y))
            return True
        return False

    def lookAhead(self):
        """Hint."""
        hints = [(len(self.free(a, b)), a, b) for a, b in self.free(self.x, self.y)]
        return min(hints)[1:] if hints else None
