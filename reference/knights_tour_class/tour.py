# Name:       <name>
# Student ID: <student ID>
# E-mail:     <e-mail>
"""The dialogue: asks for the start and for each move, and makes a suggested move if the answer is invalid."""

import sys
from collections.abc import Iterator

from knights_tour import KnightsTour


def main() -> None:
    """Lead the knight until it cannot move any further, or until the input ends."""
    numbers = read_numbers()
    try:
        tour = start(numbers)
        tour.print()
        while tour.hasMoreMoves():
            make_move(tour, numbers)
            tour.print()
    except EOFError:
        return
    print("Finished. Well done!" if tour.isSolved() else "Sorry. No more moves!")


def read_numbers() -> Iterator[int]:
    """Yield the whole numbers of the input, wherever its lines break."""
    for line in sys.stdin:
        yield from map(int, line.split())


def ask(question: str, numbers: Iterator[int]) -> tuple[int, int]:
    """Ask for a row and a column.  Raises EOFError if the input is over."""
    print(question, end="", flush=True)
    try:
        return next(numbers), next(numbers)
    except StopIteration:
        raise EOFError from None


def start(numbers: Iterator[int]) -> KnightsTour:
    """Ask for the first square until it is on the board."""
    while True:
        row, column = ask("Enter knight's starting position (row col): ", numbers)
        if 0 <= row < KnightsTour.N and 0 <= column < KnightsTour.N:
            return KnightsTour(row, column)
        print("Invalid. Try again!")


def make_move(tour: KnightsTour, numbers: Iterator[int]) -> None:
    """Ask for a move and make it; if it is invalid, make the move that the tour suggests."""
    row, column = ask("Make a move (row col): ", numbers)
    if tour.move(row, column):
        return
    suggestion = tour.lookAhead()
    assert suggestion is not None, "only called while there are moves"
    row, column = suggestion
    print(f"Invalid. Make a suggested move for you: {row} {column}")
    tour.move(row, column)


if __name__ == "__main__":
    main()
