"""The checkers of tour-program: fair about how a grid is drawn, and strict about what it shows."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

Rows: TypeAlias = list[list[int]]

SPECS = Path(__file__).parents[3] / "specs"


def load_checkers() -> Any:
    """Import the checkers file, which is in no package."""
    spec = importlib.util.spec_from_file_location("tour_program_checkers", SPECS / "tour-program/checkers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


checkers = load_checkers()

PUBLISHED = [
    [1, 12, 25, 18, 3],
    [22, 17, 2, 13, 24],
    [11, 8, 23, 4, 19],
    [16, 21, 6, 9, 14],
    [7, 10, 15, 20, 5],
]
"""The tour of the report, from a0."""


def did(stdout: str, *turns: tuple[str, str | None], stderr: str = "", exit_code: int = 0) -> dict[str, Any]:
    return {
        "stdout": stdout,
        "stderr": stderr,
        "exit_code": exit_code,
        "files": {},
        "dialogue": list(turns),
    }


def drawn(rows: Rows, between: str = "\t", line: str = "-----") -> str:
    return "\n".join([line, *(between.join(map(str, row)) for row in rows), line]) + "\n"


def on_its_side(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def upside_down(rows: Rows) -> Rows:
    return rows[::-1]


DRAWINGS: dict[str, Callable[[Rows], str]] = {
    "tabs": drawn,
    "blanks": lambda rows: drawn(rows, "  "),
    "bars": lambda rows: drawn(rows, " | "),
    "a frame": lambda rows: "\n+--+--+\n".join(f"| {' | '.join(map(str, row))} |" for row in rows),
    "prompts in front": lambda rows: f"Size (at least 5): Start: {drawn(rows)}",
    "a prompt before the first row": lambda rows: "Start: " + "\n".join(" ".join(map(str, r)) for r in rows),
    "names of rows": lambda rows: "\n".join(
        f"{'abcde'[i]} {' '.join(map(str, row))}" for i, row in enumerate(rows)
    ),
    "numbers of rows": lambda rows: "\n".join(
        f"{i} | {' '.join(map(str, row))}" for i, row in enumerate(rows)
    ),
    "names of columns above": lambda rows: "  0 1 2 3 4\n" + drawn(rows),
    "names of columns below": lambda rows: drawn(rows) + "  1 2 3 4 5\n",
    "an earlier attempt": lambda rows: drawn([[0] * 5] * 5) + drawn(rows),
    "Windows line ends": lambda rows: drawn(rows).replace("\n", "\r\n"),
}


@pytest.mark.parametrize("way", DRAWINGS)
@pytest.mark.parametrize("turned", [lambda rows: rows, on_its_side, upside_down])
def test_a_tour_is_one_however_it_is_drawn(way: str, turned: Callable[[Rows], Rows]) -> None:
    printed = did(DRAWINGS[way](turned(PUBLISHED)))
    assert checkers.tour(printed, 5, (0, 0)) is None
    assert checkers.grid(printed, 5) is None


def test_numbers_from_0_are_a_tour_but_not_the_grid() -> None:
    printed = did(drawn([[number - 1 for number in row] for row in PUBLISHED]))
    assert checkers.tour(printed, 5, (0, 0)) is None
    assert checkers.grid(printed, 5) == "the numbers begin with 0; they should be 1 to 25"


@pytest.mark.parametrize("start", [(1, 1), (2, 0), (0, 2), (1, 3), (2, 2)])
def test_a_tour_from_elsewhere(start: tuple[int, int]) -> None:
    name = f"{'abcde'[start[0]]}{start[1]}"
    assert checkers.tour(did(drawn(PUBLISHED)), 5, start) == (
        f"the tour begins in row 1, column 1, where {name} is not, whichever way the board is turned"
    )


def changed(row: int, column: int, number: int) -> Rows:
    rows = [list(row) for row in PUBLISHED]
    rows[row][column] = number
    return rows


@pytest.mark.parametrize(
    ("stdout", "message"),
    [
        ("", "nothing was printed"),
        ("hello\n", "expected a grid of 5 rows of 5 numbers, found no such rows"),
        (drawn(PUBLISHED[:4]), "expected a grid of 5 rows of 5 numbers, found 4 such rows"),
        (drawn(changed(0, 0, 2)), "2 stands in the grid twice, and 1 is missing"),
        (drawn(changed(0, 0, 26)), "the numbers must be 1 to 25, each once; 1 is missing"),
        (
            drawn([PUBLISHED[1], PUBLISHED[0], *PUBLISHED[2:]]),
            "3 → 4 is not a knight's move (row 2, column 5 to row 3, column 4)",
        ),
    ],
)
def test_what_is_no_tour(stdout: str, message: str) -> None:
    assert checkers.grid(did(stdout), 5) == message
    assert checkers.tour(did(stdout), 5, (0, 0)) == message


def test_dashed_lines() -> None:
    assert checkers.dashed(did(drawn(PUBLISHED)), 5) is None
    assert checkers.dashed(did("Start: " + drawn(PUBLISHED, line="=====")), 5) is None
    assert checkers.dashed(did(drawn(PUBLISHED, line="+--+--+")), 5) is None
    assert checkers.dashed(did(drawn(PUBLISHED, line="")), 5) == "there is no dashed line above the grid"
    above = drawn(PUBLISHED).rpartition("-----")[0]
    assert checkers.dashed(did(above), 5) == "there is no dashed line below the grid"


TYPED = (("Size? ", "5"), ("Start? ", "a1"))


@pytest.mark.parametrize(
    "said",
    [
        "There is no tour from a1.\n",
        "Impossible!\n",
        "Sorry, this can't be done\n",
        "Fail: not possible\n",
        "unable to solve\n",
    ],
)
def test_a_program_may_say_in_its_own_words_that_there_is_no_tour(said: str) -> None:
    stdout = "Size? Start? " + said
    assert checkers.no_tour(did(stdout, *TYPED), 5) is None
    # Or ask for another start, and find its input at an end.
    again = (f"{said}Start? ", None)
    dead = did(f"{stdout}Start? ", *TYPED, again, stderr="Traceback (most recent call last):\n", exit_code=1)
    assert checkers.no_tour(dead, 5) is None


@pytest.mark.parametrize(
    ("said", "stderr", "message"),
    [
        ("", "", "it says nothing; expected a message that there is no tour from this square"),
        ("Searching...\n", "", "what it says does not tell that there is no tour from this square"),
        (drawn(PUBLISHED), "", "it shows a grid, but there is no tour from this square"),
        (
            "",
            "Traceback (most recent call last):\n",
            "it ends with an exception instead of saying that there is no tour",
        ),
    ],
)
def test_a_program_that_does_not_say_so(said: str, stderr: str, message: str) -> None:
    assert checkers.no_tour(did("Size? Start? " + said, *TYPED, stderr=stderr), 5) == message


def test_the_player_types_its_lines_and_then_no_more() -> None:
    lines = ["5", "a0"]
    turns: list[tuple[str, str | None]] = []
    typed = []
    for said in ("Size? ", "Start? ", "More? "):
        typed.append(checkers.type_in([*turns, (said, None)], lines))
        turns.append((said, typed[-1]))
    assert typed == ["5", "a0", None]


@given(st.text(alphabet="0123456789 -|\tab\n", max_size=200))
def test_no_output_trips_a_checker(stdout: str) -> None:
    for n in (1, 5):
        for check in (checkers.grid, checkers.dashed, checkers.no_tour):
            assert check(did(stdout, *TYPED), n) is None or isinstance(check(did(stdout, *TYPED), n), str)
        checkers.tour(did(stdout), n, (0, 0))
