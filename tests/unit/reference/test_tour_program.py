"""The reference for tour-program: what it prints for what is typed, from many starts."""

import importlib.util
import io
import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SOURCE = Path(__file__).parents[3] / "reference" / "tour_program" / "main.py"

PUBLISHED = """
     1 12 25 18  3
    22 17  2 13 24
    11  8 23  4 19
    16 21  6  9 14
     7 10 15 20  5
"""


def load() -> Any:
    """Import the program, which is in no package."""
    spec = importlib.util.spec_from_file_location("reference_tour_program", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


program = load()


def tour_on(rows: list[list[int]]) -> list[tuple[int, int]]:
    """Return the squares in the order of their numbers.  Fails unless they are 1 to n * n."""
    assert {len(row) for row in rows} == {len(rows)}
    place = {number: (row, column) for row, line in enumerate(rows) for column, number in enumerate(line)}
    assert sorted(place) == list(range(1, len(rows) ** 2 + 1))
    return [place[number] for number in sorted(place)]


def is_tour(squares: list[tuple[int, int]]) -> bool:
    return all(abs((a - c) * (b - d)) == 2 for (a, b), (c, d) in pairwise(squares))


def printed_rows(output: str) -> list[list[int]]:
    """Return the numbers between the dashed lines, of which there must be two."""
    lines = output.splitlines()
    first, last = (number for number, line in enumerate(lines) if line and not line.strip("-"))
    assert len({len(line) for line in lines[first : last + 1]}) == 1
    return [[int(number) for number in line.split()] for line in lines[first + 1 : last]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def answer(typed: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        program.main()
        return capsys.readouterr().out

    return answer


def test_published_grid_is_a_tour() -> None:
    rows = [[int(number) for number in line.split()] for line in PUBLISHED.split("\n") if line.strip()]
    squares = tour_on(rows)
    assert is_tour(squares)
    assert squares[0] == (0, 0)


def test_the_moves_are_the_published_ones() -> None:
    moves = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)]
    assert list(program.JUMPS) == moves


def test_the_program_prints_a_tour() -> None:
    command = [sys.executable, "-W", "error", str(SOURCE)]
    done = subprocess.run(command, input=b"5\na0\n", capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    squares = tour_on(printed_rows(done.stdout.decode("ascii")))
    assert is_tour(squares)
    assert squares[0] == (0, 0)


@pytest.mark.parametrize(
    ("size", "typed", "start"),
    [
        (6, "b0", (1, 0)),
        (6, "A5", (0, 5)),
        (8, "h7", (7, 7)),
        (12, "l11", (11, 11)),
        (12, "c010", (2, 10)),
        (40, "z39", (25, 39)),
        (40, "aa0", (26, 0)),
        (40, "an39", (39, 39)),
    ],
)
def test_the_letter_is_the_row_and_the_number_the_column(
    run: Any, size: int, typed: str, start: tuple[int, int]
) -> None:
    squares = tour_on(printed_rows(run(f"{size}\n{typed}\n")))
    assert is_tour(squares)
    assert squares[0] == start


@pytest.mark.parametrize("size", ["4", "0", "-5", "81", "five", "5.0", "99999999999999999999", "²", "'5'"])
def test_a_bad_size_is_asked_for_again(run: Any, size: str) -> None:
    output = run(f"{size}\n6\na0\n")
    assert output.count("The size must be") == 1
    assert len(printed_rows(output)) == 6


@pytest.mark.parametrize(
    "start", ["g0", "a6", "0", "a", "0a", "a-1", "aa0", "a0b", "é0", "aaaaaaaaaaa0", "a²"]
)
def test_a_bad_start_is_asked_for_again(run: Any, start: str) -> None:
    output = run(f"6\n{start}\nb3\n")
    assert output.count("The start must be") == 1
    assert tour_on(printed_rows(output))[0] == (1, 3)


@pytest.mark.parametrize(("size", "start"), [(5, "a1"), (5, "d4"), (7, "b0"), (39, "a37")])
def test_it_says_where_there_is_no_tour(run: Any, size: int, start: str) -> None:
    output = run(f"{size}\n{start}\n")
    assert f"There is no tour from {start}:" in output
    assert "--" not in output


@pytest.mark.parametrize("typed", ["", "3\n", "6\n", "6\nz9\n"])
def test_the_end_of_the_input_ends_the_program(run: Any, typed: str) -> None:
    with pytest.raises(SystemExit, match="The input ended"):
        run(typed)


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9, 10, 13, 16])
def test_there_is_a_tour_from_every_square_of_the_right_colour(size: int) -> None:
    for start in product(range(size), repeat=2):
        assert program.has_tour(size, start) == (size % 2 == 0 or sum(start) % 2 == 0)
        if program.has_tour(size, start):
            squares = program.find_tour(size, start)
            assert is_tour(squares)
            assert (squares[0], len(set(squares))) == (start, size * size)


@pytest.mark.parametrize("size", range(17, 41))
def test_there_are_tours_on_larger_boards(size: int) -> None:
    centre = size // 2
    for start in [(0, 0), (centre, centre), (2, centre - centre % 2), (size - 1, size - 1)]:
        squares = program.find_tour(size, start)
        assert is_tour(squares)
        assert (squares[0], len(set(squares))) == (start, size * size)


def test_a_start_that_needs_many_attempts() -> None:
    assert is_tour(program.find_tour(39, (26, 16)))


def test_every_name_is_read_back() -> None:
    for square in product(range(80), range(80)):
        assert program.to_square(program.name(square)) == square
