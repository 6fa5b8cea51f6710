"""The code of a notebook as one text, in which each cell can be told from the others.

The text begins with `MARK`.  Its first line names the cells and the lines on which their code begins.  Intake
writes that line, so whatever a cell holds, it ends where the line says.  A cell is compiled by itself: one
that Python refuses, or that opens a string and does not close it, takes no other with it.
"""

from collections.abc import Iterable
from typing import NamedTuple

MARK = "\udc01"
"""Begins the text of a notebook; no text of a Python file can hold it."""
_DIGITS_MAX = 9
_HEAD = "# The code of a notebook. Cells and their first lines: "


class NotebookCell(NamedTuple):
    """A code cell.  number: its place in the notebook, from 1, cells without code counted.  first: its first
    line in the whole text, from 1."""

    number: int
    first: int
    text: str


def joined(cells: Iterable[tuple[int, str]]) -> str:
    """Return the text of a notebook from the numbers and the sources of its cells; empty without any."""
    places: list[str] = []
    lines: list[str] = []
    for number, text in cells:
        own = text.split("\n")
        places.append(f"{number}:{len(lines) + 3}")
        lines += [f"# %% cell {number}", *own]
    return "\n".join([f"{MARK}{_HEAD}{' '.join(places)}", *lines]) if places else ""


def as_one_file(text: str) -> str:
    """Return a text that `joined` made as a Python file, of which the box still knows what it was."""
    return text.removeprefix(MARK)


def was_notebook(text: str) -> bool:
    """Tell whether a text is one that `as_one_file` made."""
    return text.startswith(_HEAD)


def cells_of(text: str) -> list[NotebookCell]:
    """Return the cells of a text that `joined` made, or of its beginning; of any other text none."""
    if not text.startswith(f"{MARK}{_HEAD}"):
        return []
    lines = text.split("\n")
    places = [place for place in _places(lines[0][len(MARK + _HEAD) :]) if place[1] <= len(lines)]
    ends = [*(first - 2 for _, first in places[1:]), len(lines)]
    return [
        NotebookCell(number, first, "\n".join(lines[first - 1 : end]))
        for (number, first), end in zip(places, ends, strict=False)
    ]


def _places(head: str) -> list[tuple[int, int]]:
    """Return numbers and first lines of cells; none if they do not ascend, so that no text does harm."""
    found: list[tuple[int, int]] = []
    for place in head.split():
        number, _, first = place.partition(":")
        if not (_is_number(number) and _is_number(first)):
            return []
        if int(first) < (found[-1][1] + 2 if found else 3):
            return []
        found.append((int(number), int(first)))
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX


def cell_file(file: str, number: int) -> str:
    """Return the name of a cell as tracebacks have it.  file: the notebook's name, or the module's."""
    return f"cell {number} of {file if file.casefold().endswith('.ipynb') else f'{file}.ipynb'}"


def files_of(module: str, text: str) -> list[str]:
    """Return the names that lines of a module have in tracebacks."""
    return [cell_file(module, cell.number) for cell in cells_of(text)] or [f"{module}.py"]


def place_of(text: str, line: int) -> tuple[int, int]:
    """Return the cell and the line in it of a line of the whole text; (0, line) where that is in none."""
    found = (0, line)
    for cell in cells_of(text):
        if cell.first <= line <= cell.first + cell.text.count("\n"):
            found = cell.number, line - cell.first + 1
    return found


def module_of(file: str) -> tuple[str, int]:
    """Return the module and the cell that a name in a traceback stands for; 0 for no cell."""
    number, _, name = file.removeprefix("cell ").partition(" of ")
    if file.startswith("cell ") and _is_number(number):
        return name.removesuffix(".ipynb"), int(number)
    return file.removesuffix(".py"), 0


def line_of(text: str, number: int, line: int) -> int:
    """Return the line of the whole text that a line of a cell is; 0 where there is none."""
    if not number:
        return line
    for cell in cells_of(text):
        if cell.number == number and 1 <= line <= cell.text.count("\n") + 1:
            return cell.first + line - 1
    return 0
