"""Asks for a board and a start, and prints a knight's tour from there as a grid of move numbers.

A square is a row and a column from 0 on, typed as letters and a number: a0 is row 0, column 0, and after
z come aa, ab and so on.

The method is Warnsdorff's rule: go to the square with the fewest moves onward.  It never takes a move back,
so its time grows with the number of squares only.  The rule leaves ties open.  At first they go to the
square farthest from the centre.  If the knight gets stuck it starts again, with ties drawn by lot.
"""

import random
import sys
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

Square: TypeAlias = tuple[int, int]

SMALLEST = 5
LARGEST = 80
JUMPS = ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))
SEED = 1
"""The same board and start give the same tour every time."""


def main() -> None:
    """Ask, search, print."""
    words = (word for line in sys.stdin for word in line.split())
    try:
        size = ask_size(words)
        start = ask_start(words, size)
    except EOFError:
        sys.exit("The input ended before a board and a start were chosen.")
    if has_tour(size, start):
        print(grid(size, find_tour(size, start)))
    else:
        print(f"There is no tour from {name(start)}: on a board of odd size it has to start")
        print("on a square of the same colour as the corners.")


def ask_size(words: Iterator[str]) -> int:
    """Ask for the size of the board until the answer is valid.  Raises EOFError if the input is over."""
    while True:
        answer = ask(f"Size of the board, {SMALLEST} to {LARGEST}:", words)
        size = to_number(answer)
        if size is not None and SMALLEST <= size <= LARGEST:
            return size
        print(f"The size must be a number from {SMALLEST} to {LARGEST}.")


def ask_start(words: Iterator[str], size: int) -> Square:
    """Ask for the start until it is a square of the board.  Raises EOFError if the input is over."""
    last = name((size - 1, size - 1))
    while True:
        start = to_square(ask(f"Start, a0 to {last}:", words))
        if start is not None and max(start) < size:
            return start
        print(f"The start must be letters and a number, from a0 to {last}.")


def ask(question: str, words: Iterator[str]) -> str:
    """Return the next word of the input.  Raises EOFError if there is none."""
    print(question, flush=True)
    for word in words:
        return word
    raise EOFError


def to_number(text: str) -> int | None:
    """Return the number that up to four digits stand for, None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def to_square(text: str) -> Square | None:
    """Return the square with this name, on a board of any size, or None if it is no name of a square."""
    letters = text.rstrip("0123456789")
    column = to_number(text[len(letters) :])
    if column is None or len(letters) > 2 or not (letters.isascii() and letters.isalpha()):
        return None
    row = 0
    for letter in letters.lower():
        row = 26 * row + ord(letter) - ord("a") + 1
    return row - 1, column


def name(square: Square) -> str:
    """Return the name of a square, as it is typed."""
    row, column = square
    before, last = divmod(row, 26)
    letters = (chr(ord("a") + before - 1) if before else "") + chr(ord("a") + last)
    return f"{letters}{column}"


def has_tour(size: int, start: Square) -> bool:
    """Return whether there is a tour, for sizes from 5 on.

    The knight changes colour with each move.  If the number of squares is odd, one more has the colour of
    the corners than the other, and a tour must begin and end on that colour.  Every other start has a tour.
    """
    return size % 2 == 0 or sum(start) % 2 == 0


def find_tour(size: int, start: Square) -> list[Square]:
    """Return a tour in the order of its moves.  Does not end if there is none from `start`."""
    centre = (size - 1) / 2
    preference = {square: -((square[0] - centre) ** 2 + (square[1] - centre) ** 2) for square in around(size)}
    lots = random.Random(SEED)
    path = walk(size, start, preference)
    while len(path) < size * size:
        path = walk(size, start, {square: lots.random() for square in preference})
    return path


def walk(size: int, start: Square, preference: dict[Square, float]) -> list[Square]:
    """Follow Warnsdorff's rule until no move is left; among equals, take the lowest preference."""
    neighbours = around(size)
    ways_on = {square: len(onward) for square, onward in neighbours.items()}
    path = [start]
    visited = {start}
    moves = list(neighbours[start])
    while moves:
        for square in moves:
            ways_on[square] -= 1
        square = min(moves, key=lambda move: (ways_on[move], preference[move]))
        path.append(square)
        visited.add(square)
        moves = [move for move in neighbours[square] if move not in visited]
    return path


@cache
def around(size: int) -> dict[Square, list[Square]]:
    """Return all squares of a board, each with those that are a knight's move away."""
    squares = [(row, column) for row in range(size) for column in range(size)]
    return {
        (row, column): [
            (row + down, column + right)
            for down, right in JUMPS
            if 0 <= row + down < size and 0 <= column + right < size
        ]
        for row, column in squares
    }


def grid(size: int, tour: list[Square]) -> str:
    """Return the rows of move numbers, 1 to size * size, between dashed lines."""
    number_of = {square: number for number, square in enumerate(tour, 1)}
    width = len(str(len(tour)))
    rows = [" ".join(f"{number_of[row, column]:{width}}" for column in range(size)) for row in range(size)]
    dashes = "-" * len(rows[0])
    return "\n".join([dashes, *rows, dashes])


if __name__ == "__main__":
    main()
