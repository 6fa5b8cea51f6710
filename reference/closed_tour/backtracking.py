"""The plain search that the assignment describes.  Submissions are timed against it.

`knightsTour` of `knight.py` is too fast to be a fair measure of a student's time.  This search tries
direction after direction from the first empty square, with a stack of directions, and takes back the last
move when none is left.
"""

from knight import Board, Square, move, moveBack

__all__ = ["Board", "Square", "knightsTour"]

DIRECTIONS = 8


def knightsTour(board: Board) -> bool:
    """Write a closed tour, 1 to k, into the empty squares; return whether there is one.

    If there is none, the board stays as it is.
    """
    total = board.nEmpty()
    if total < 2:
        return False
    start = here = board.emptySquare()
    stack = [0]
    board.set(here, 1)
    while True:
        direction = stack[-1]
        if direction < DIRECTIONS:
            direction += 1
            stack[-1] = direction
            there = move(here, direction)
            if board.inRange(there) and board.get(there) == 0:
                here = there
                stack.append(0)
                board.set(here, len(stack))
                if len(stack) == total and is_move(here, start):
                    return True
        else:
            stack.pop()
            board.set(here, 0)
            if not stack:
                return False
            here = moveBack(here, stack[-1])


def is_move(one: Square, other: Square) -> bool:
    """Return whether a knight gets from one square to the other."""
    return {abs(one.i - other.i), abs(one.j - other.j)} == {1, 2}
