"""Checkers of closed-tour: boards as text, and the tours that are written into them."""

import re

LEAPS = {(1, 2), (2, 1)}
SHOWN = 3


def shows(
    answer: object, rows: list[list[int]], row: int = -1, column: int = -1, value: int = 0
) -> str | None:
    """Return how a text differs from a board's (m, n, then the rows, each on its line), or None.

    row, column, value: a square with another value.  Blanks and empty lines don't count.
    """
    if not isinstance(answer, str):
        return "the board as a text is no text"
    expected = [[len(rows)], [len(rows[0])], *(list(line) for line in rows)]
    if row >= 0:
        expected[row + 2][column] = value
    lines = [line.split() for line in answer.splitlines() if line.strip()]
    for number, (found, wanted) in enumerate(zip(lines, expected, strict=False), 1):
        if found != [str(part) for part in wanted]:
            return f"line {number} should be {' '.join(map(str, wanted))!r}, not {' '.join(found)[:80]!r}"
    if len(lines) != len(expected):
        return f"expected {len(expected)} lines: m, n and the rows; there are {len(lines)}"
    return None


def solved(did: dict[str, object], rows: list[list[int]], exactly: bool = False) -> str | None:
    """Return the fault of the tour that a program prints for the board `rows`, or None.

    exactly: it prints the board's text and nothing else; without it, the last numbers count.
    """
    printed = str(did["stdout"])
    size = f"{len(rows)} {len(rows[0])}".split()
    if exactly and [line.split() for line in printed.splitlines()[:2]] != [size[:1], size[1:]]:
        return f"the output should begin with {size[0]} and {size[1]}, each on its line"
    if exactly and [len(line.split()) for line in printed.splitlines()[2:]] != [len(row) for row in rows]:
        return f"below that there should be {len(rows)} rows of {len(rows[0])} numbers, and nothing else"
    return tour(printed, rows)


def tour(answer: object, rows: list[list[int]]) -> str | None:
    """Return the fault of the closed tour that was written into the empty squares of `rows`, or None.

    Reads the last m * n numbers of the board's text, so that a fault of its form costs nothing here.
    """
    height, width = len(rows), len(rows[0])
    words = re.findall(r"-?[0-9]+", answer) if isinstance(answer, str) else []
    if len(words) < height * width:
        return f"the board as a text should show {height} x {width} numbers"
    if any(len(word) > 6 for word in words):
        return "the board as a text shows numbers that are no moves"
    numbers = [int(word) for word in words[-height * width :]]
    place = {}
    for index, number in enumerate(numbers):
        i, j = divmod(index, width)
        if rows[i][j] != 0:
            if number != rows[i][j]:
                return f"({i}, {j}) is no empty square and must stay {rows[i][j]}, it is {number}"
        elif number in place:
            return f"{number} stands on {place[number]} and on ({i}, {j})"
        else:
            place[number] = (i, j)
    last = len(place)
    missing = [number for number in range(1, last + 1) if number not in place]
    if missing:
        return f"{', '.join(map(str, missing[:SHOWN]))} is missing: the tour has the numbers 1 to {last}"
    for number in range(1, last + 1):
        (i, j), (a, b) = place[number], place[number % last + 1]
        if (abs(a - i), abs(b - j)) not in LEAPS:
            onward = f"{'back ' if number == last else ''}to {number % last + 1} on ({a}, {b})"
            return f"from {number} on ({i}, {j}) {onward} is no knight's move"
    return None
