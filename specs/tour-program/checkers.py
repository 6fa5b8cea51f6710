"""Checkers of tour-program: of a program's output, and a player who types its input.

Each checker takes a dict of what the program did: the texts "stdout" and "stderr", the list "dialogue" of
texts and answers, and more.  It returns None if that is right, otherwise one sentence.

The task does not say how a board is turned, how wide its cells are or what separates them.  So the
numbers may stand in rows or columns, from the top or from the bottom, between blanks, tabs or bars,
with names of rows and columns beside them.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

Square = tuple[int, int]
Turn = tuple[str, str | None]

_SEPARATORS = re.compile(r"[|:;,\[\]()│║┃]+")
_NUMBER = re.compile(r"\d{1,6}")
_DASHES = re.compile("[-\u2500\u2501=_\u2014\u2013][-\u2500\u2501=_\u2014\u2013+|\u253c ]*$")
"""A line of dashes, of any kind that people type or draw, with crossings in it."""
_LEAST_DASHES = 3
_SIZE = re.compile(r"-?(0|[1-9]\d?)")
_SQUARE = re.compile(r"([a-z])(0|[1-9]\d?)")
_NO = re.compile(
    r"\b(no|not|none|cannot|impossible|unsolvable|unable|without|never|fail\w*|unsuccessful\w*)\b|n['\u2019]t\b",
    re.IGNORECASE,
)


def grid(did: dict[str, object], n: int) -> str | None:
    """Return why the output shows no tour of the n x n board by the numbers from 1 on, or None."""
    rows = _last_grid(_text(did, "stdout"), n)
    if rows is not None and _begins_with_0(rows):
        return f"the numbers begin with 0; they should be 1 to {n * n}"
    return _tour_fault(rows, n) if rows is not None else _no_grid(_text(did, "stdout"), n)


def tour(did: dict[str, object], n: int, start: Square) -> str | None:
    """Return why the output shows no tour from `start`, counted from 1 or from 0, or None."""
    rows = _last_grid(_text(did, "stdout"), n)
    if rows is None:
        return _no_grid(_text(did, "stdout"), n)
    if _begins_with_0(rows):
        rows = [[number + 1 for number in row] for row in rows]
    fault = _tour_fault(rows, n)
    if fault is not None:
        return fault
    row, column = _place_of(rows)[1]
    if (row, column) not in _places_of(start, n):
        found = f"the tour begins in row {row + 1}, column {column + 1}"
        return f"{found}, where {_name(start)} is not, whichever way the board is turned"
    return None


def dashed(did: dict[str, object], n: int) -> str | None:
    """Return why the grid does not stand between dashed lines, or None."""
    text = _text(did, "stdout")
    lines = text.split("\n")
    found = _grid_lines(lines, n)
    if not found:
        return _no_grid(text, n)
    if not any(map(_is_dashed, lines[: found[0]])):
        return "there is no dashed line above the grid"
    if not any(map(_is_dashed, lines[found[-1] + 1 :])):
        return "there is no dashed line below the grid"
    return None


def no_tour(did: dict[str, object], n: int) -> str | None:
    """Return why the program does not say that there is no tour, or None.

    After saying so it may end, or ask for another start.
    """
    said = "".join(text for text, _ in _turns(did)[2:]) + _last_words(did)
    if _last_grid(_text(did, "stdout"), n) is not None:
        return "it shows a grid, but there is no tour from this square"
    if "Traceback (most recent call last)" in _text(did, "stderr") and not _NO.search(said):
        return "it ends with an exception instead of saying that there is no tour"
    if not said.strip():
        return "it says nothing; expected a message that there is no tour from this square"
    if not _NO.search(said):
        return "what it says does not tell that there is no tour from this square"
    return None


def type_in(turns: Sequence[Turn], lines: Sequence[str]) -> str | None:
    """Type line after line, for any question; after the last one the input ends."""
    return lines[len(turns) - 1] if len(turns) <= len(lines) else None


# -- what the task is about -----------------------------------------------------------------------------


def is_valid_input(program: str, given: dict[str, object]) -> bool:
    """Tell whether the task says what is to happen: sizes below 5, one from 5 to 40, a square of that board.

    It leaves open what a program makes of other words, of larger boards, and of squares beside the board.
    """
    player = given["player"]
    typed = player.get("lines", []) if isinstance(player, dict) else []
    lines = [str(line) for line in typed] or _text(given, "stdin").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if given["arguments"] or len(lines) < 2 or not all(_SIZE.fullmatch(line) for line in lines[:-1]):
        return False
    *small, size = map(int, lines[:-1])
    square = _SQUARE.fullmatch(lines[-1])
    if square is None or not 5 <= size <= 40 or any(number >= 5 for number in small):
        return False
    # After z, programs may count in other ways.
    return ord(square[1]) - ord("a") < size and int(square[2]) < size


# -- reading printed text -----------------------------------------------------------------------------


def _text(did: dict[str, object], key: str) -> str:
    value = did[key]
    return value if isinstance(value, str) else ""


def _turns(did: dict[str, object]) -> list[Turn]:
    value = did["dialogue"]
    return value if isinstance(value, list) else []


def _last_words(did: dict[str, object]) -> str:
    return _text(did, "stdout")[sum(len(said) for said, _ in _turns(did)) :]


def _last_grid(text: str, n: int) -> list[list[int]] | None:
    """Return the last n lines that end in n numbers each; None if there are fewer."""
    lines = text.split("\n")
    found = _grid_lines(lines, n)
    return [_row(lines[index], n) or [] for index in found] if found else None


def _grid_lines(lines: list[str], n: int) -> list[int]:
    """Return the places of the last n lines with n numbers, in order; none if there are fewer.

    Names of columns from 0 or 1 on may stand above or below them.
    """
    found = [index for index, line in enumerate(lines) if _row(line, n) is not None]
    found = [index for index in found if not _are_names(_row(lines[index], n) or [])] or found
    return found[-n:] if len(found) >= n else []


def _row(line: str, n: int) -> list[int] | None:
    """Return the n numbers that end a line, without the number of the row; None if there are others."""
    numbers: list[int] = []
    for word in reversed(_SEPARATORS.sub(" ", line).split()):
        if not _NUMBER.fullmatch(word):
            break
        numbers.insert(0, int(word))
    # A row may have its own number in front of it.
    if len(numbers) == n + 1 and 0 <= numbers[0] <= n:
        return numbers[1:]
    return numbers if len(numbers) == n else None


def _are_names(row: list[int]) -> bool:
    """Return whether numbers are the names of columns: no knight goes from one square to the next."""
    return row in (list(range(len(row))), list(range(1, len(row) + 1)))


def _is_dashed(line: str) -> bool:
    match = _DASHES.search(line.rstrip())
    return match is not None and sum(character not in "+|┼ " for character in match[0]) >= _LEAST_DASHES


def _no_grid(text: str, n: int) -> str:
    count = sum(_row(line, n) is not None for line in text.split("\n"))
    if not text.strip():
        return "nothing was printed"
    return f"expected a grid of {n} rows of {n} numbers, found {count or 'no'} such row{'s' * (count != 1)}"


# -- tours ---------------------------------------------------------------------------------------------


def _begins_with_0(rows: list[list[int]]) -> bool:
    return sorted(number for row in rows for number in row) == list(range(len(rows) ** 2))


def _place_of(rows: list[list[int]]) -> dict[int, Square]:
    return {number: (i, j) for i, row in enumerate(rows) for j, number in enumerate(row)}


def _tour_fault(rows: list[list[int]], n: int) -> str | None:
    """Return why the numbers, from 1 on, are no tour."""
    fault = _numbers_fault(rows, n)
    if fault is not None:
        return fault
    place = _place_of(rows)
    for number in range(1, n * n):
        if not _is_knights_move(place[number], place[number + 1]):
            return f"{number} → {number + 1} is not a knight's move ({_where(place, number)})"
    return None


def _numbers_fault(rows: list[list[int]], n: int) -> str | None:
    """Return why the numbers are not 1 to n * n, each once."""
    numbers = sorted(number for row in rows for number in row)
    if numbers == list(range(1, n * n + 1)):
        return None
    missing = min(set(range(1, n * n + 1)) - set(numbers))
    twice = [one for one, other in pairwise(numbers) if one == other]
    if twice:
        return f"{twice[0]} stands in the grid twice, and {missing} is missing"
    return f"the numbers must be 1 to {n * n}, each once; {missing} is missing"


def _is_knights_move(a: Square, b: Square) -> bool:
    return abs((a[0] - b[0]) * (a[1] - b[1])) == 2


def _places_of(start: Square, n: int) -> set[Square]:
    """Return the places that a name may mean: the letter for row or column, numbers from either end."""
    letter, number = start
    return {(letter, number), (n - 1 - letter, number), (number, letter), (n - 1 - number, letter)}


def _where(place: dict[int, Square], number: int) -> str:
    a, b = place[number], place[number + 1]
    return f"row {a[0] + 1}, column {a[1] + 1} to row {b[0] + 1}, column {b[1] + 1}"


def _name(square: Square) -> str:
    return f"{chr(ord('a') + square[0])}{square[1]}"


# -- pictures ------------------------------------------------------------------------------------------


def drawn(actual: dict[str, object], expected: object) -> dict[str, object] | None:
    """Draw the printed grid, with its numbers joined up to the first faulty step."""
    text = _text(actual, "stdout")
    rows = next((rows for n in range(40, 4, -1) if (rows := _last_grid(text, n)) is not None), None)
    if rows is None:
        return None
    n = len(rows)
    squares = {number: (column, row) for row, line in enumerate(rows) for column, number in enumerate(line)}
    last = 1
    while last + 1 in squares and _is_knights_move(squares[last], squares[last + 1]):
        last += 1
    way = [squares[number] for number in range(1, last + 1) if number in squares]
    lines: list[dict[str, object]] = [{"through": way}]
    marks = {squares[1]: "noted"} if 1 in squares else {}
    fault = _tour_fault(rows, n)
    if fault is not None and way and last + 1 in squares:
        lines.append({"through": [way[-1], squares[last + 1]], "mark": "wrong", "arrow": True})
        marks[squares[last + 1]] = "wrong"
    cells = [
        {"at": (column, row), "text": str(number), "mark": marks.get((column, row), "none")}
        for row, line in enumerate(rows)
        for column, number in enumerate(line)
    ]
    return {
        "title": "The grid that was printed",
        "text": fault or "Its numbers are a knight's tour.",
        "columns": n,
        "rows": n,
        "chequered": True,
        "cells": cells,
        "lines": lines if way else [],
        "legend": {"noted": "number 1", **({"wrong": "the first fault"} if len(lines) > 1 else {})},
    }
