"""Closed knight's tours on boards with obstacles: what you are given, and what you are to write.

Hand in this file, with every function written.  A helper function or class of your own is welcome.  Recursion
is not: a function that calls itself, directly or by way of others, costs a quarter of the mark.  Use a stack.
"""


class Square:
    """Row `i` and column `j`, both counted from 0; not necessarily on a board.

    Two squares are equal if they have the same row and the same column.
    """

    def __init__(self, i, j):
        self.i = i
        self.j = j


def move(s, d):
    """Return the square one move from `s` in direction `d`.

    Directions 1 to 8 go clockwise and add to (i, j):
    (-2, -1) (-2, 1) (-1, 2) (1, 2) (2, 1) (2, -1) (1, -2) (-1, -2).
    """
    raise NotImplementedError


def moveBack(s, d):
    """Return the square from which direction `d` leads to `s`."""
    raise NotImplementedError


class Board:
    """A board of `m` rows and `n` columns.

    rows: a list of `m` lists of `n` numbers: 0 is an empty square, -1 an obstacle, and 1, 2, 3, … are the
    moves of a tour.
    """

    def __init__(self, m, n, rows):
        raise NotImplementedError

    def inRange(self, s):
        """Return whether `s` is on the board, obstacle or not."""
        raise NotImplementedError

    def get(self, s):
        """Return what is on square `s`.  Raises RuntimeError if that is not on the board."""
        raise NotImplementedError

    def set(self, s, v):
        """Put `v` on square `s`.  Raises RuntimeError if that is not on the board."""
        raise NotImplementedError

    def nEmpty(self):
        """Return the number of empty squares."""
        raise NotImplementedError

    def emptySquare(self):
        """Return an empty square, whichever you like; it is not called where there is none."""
        raise NotImplementedError

    def __str__(self):
        """Return the board as text: `m` on a line, `n` on a line, then a line for each row.

        The numbers of a row have a blank between them.
        """
        raise NotImplementedError


def read_board(text):
    """Return the board that is written in the format of `str(board)`."""
    raise NotImplementedError


def knightsTour(board):
    """Look for a closed tour: a knight's way over all empty squares, each once, and back to the first.

    Return True and write 1, 2, 3, … into the empty squares in the order of the tour, or return False if
    there is none.  Obstacles stay.  After False it does not matter what is on the board.

    The search that you know from the lecture:
    keep a stack of directions, one for each square of the way so far.  The top is the direction that was
    tried last from where the knight stands, 0 if none was.  Try the next one; if it leads to an empty
    square, go there and push 0.  If all eight were tried, empty the square, pop, and go back by the
    direction that is now on top.  There is no tour when nothing is left on the stack.

    It is fast enough for full marks but for those on boards of 7 x 7 and more.
    """
    raise NotImplementedError
