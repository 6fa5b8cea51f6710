"""The reference for knights-tour-class: the class figure by figure, the dialogue as a process."""

import importlib.util
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[3] / "reference" / "knights_tour_class"

WHOLE_TOUR = """
    32  1 10 13 26 35
    11 20 33  0  9 14
     2 31 12 27 34 25
    19 28 21  6 15  8
    22  3 30 17 24  5
    29 18 23  4  7 16
"""
AFTER_FIVE_MOVES = """\
  0 1 2 3 4 5
0 . O . . . .
1 . . . O . .
2 O . . . . .
3 . . . . . .
4 . O . . . K
5 . . . O . .
"""
ASK_START = "Enter knight's starting position (row col): "
ASK_MOVE = "Make a move (row col): "
TRY_AGAIN = "Invalid. Try again!\n"
SUGGESTED = "Invalid. Make a suggested move for you: {} {}\n"


def load() -> Any:
    """Import the class, which is in no package."""
    spec = importlib.util.spec_from_file_location("reference_knights_tour", FOLDER / "knights_tour.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.KnightsTour


KnightsTour = load()


def published_tour() -> list[tuple[int, int]]:
    rows = [[int(number) for number in line.split()] for line in WHOLE_TOUR.split("\n") if line.strip()]
    place = {number: (row, column) for row, line in enumerate(rows) for column, number in enumerate(line)}
    return [place[number] for number in range(36)]


def tour_of(*squares: tuple[int, int]) -> Any:
    tour = KnightsTour(*squares[0])
    for square in squares[1:]:
        assert tour.move(*square)
    return tour


def board(visited: list[tuple[int, int]]) -> str:
    """Return the print of a tour, by a way of its own."""
    cells = dict.fromkeys(visited, "O") | {visited[-1]: "K"}
    rows = [f"{row} " + " ".join(cells.get((row, column), ".") for column in range(6)) for row in range(6)]
    return "\n".join(["  0 1 2 3 4 5", *rows, ""])


def dialogue(text: str) -> str:
    """Run the client on this input; it must end well and write nothing but its output."""
    command = [sys.executable, "-W", "error", str(FOLDER / "tour.py")]
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode("ascii")


def test_the_board_has_six_rows() -> None:
    assert KnightsTour.N == 6


def test_published_tour_is_accepted_and_solved() -> None:
    tour = KnightsTour(1, 3)
    for square in published_tour()[1:]:
        assert not tour.isSolved()
        assert tour.hasMoreMoves()
        assert tour.move(*square)
    assert tour.isSolved()
    assert not tour.hasMoreMoves()
    assert tour.lookAhead() is None


def test_published_dead_end() -> None:
    tour = tour_of((1, 3), (3, 2), (2, 4), (0, 5))
    assert not tour.hasMoreMoves()
    assert not tour.isSolved()
    assert tour.lookAhead() is None


def test_print_after_five_moves(capsys: pytest.CaptureFixture[str]) -> None:
    tour_of(*published_tour()[:6]).print()
    assert capsys.readouterr().out == AFTER_FIVE_MOVES


def test_only_free_squares_a_leap_away_can_be_entered() -> None:
    visited = published_tour()[:3]
    accepted = {square for square in product(range(-3, 9), repeat=2) if tour_of(*visited).move(*square)}
    assert accepted == {(1, 2), (3, 2), (4, 1)}


@pytest.mark.parametrize("square", [(0, 2), (1, 3), (0, 1), (6, 2), (-1, 3), (2, 0), (5, 5)])
def test_an_invalid_move_changes_nothing(square: tuple[int, int], capsys: pytest.CaptureFixture[str]) -> None:
    visited = published_tour()[:3]
    tour = tour_of(*visited)
    assert tour.move(*square) is False
    tour.print()
    assert capsys.readouterr().out == board(visited)


def test_published_suggestion_is_not_made(capsys: pytest.CaptureFixture[str]) -> None:
    tour = KnightsTour(1, 3)
    assert tour.lookAhead() == (0, 5)
    tour.print()
    assert capsys.readouterr().out == board([(1, 3)])


@pytest.mark.parametrize(
    ("visited", "suggestion"),
    [
        ([(1, 3), (0, 1), (2, 0)], (4, 1)),
        ([(1, 3), (0, 1), (2, 0), (4, 1)], (5, 3)),
        ([(0, 0)], (1, 2)),  # like (2, 1): smaller row
        ([(5, 2)], (4, 0)),
        ([(2, 2)], (0, 1)),  # like (1, 0): smaller row
        ([(3, 2)], (4, 0)),  # like (5, 1): smaller row
        ([(2, 3), (3, 1), (5, 2)], (4, 0)),  # like (4, 4): smaller column
    ],
)
def test_suggestions(visited: list[tuple[int, int]], suggestion: tuple[int, int]) -> None:
    assert tour_of(*visited).lookAhead() == suggestion


def test_published_session() -> None:
    moves = published_tour()
    typed = ["1 6", "-1 3", "1 3", "0 1", "2 0", "0 2", "6 2", *(f"{x} {y}" for x, y in moves[5:])]
    expected = [ASK_START, TRY_AGAIN, ASK_START, TRY_AGAIN, ASK_START, board(moves[:1])]
    for count in range(1, 36):
        expected += [ASK_MOVE]
        if count in (3, 4):
            expected += [SUGGESTED.format(*moves[count])]
        expected += [board(moves[: count + 1])]
    expected += ["Finished. Well done!\n"]
    output = dialogue("\n".join(typed) + "\n")
    assert output == "".join(expected)
    assert (output.count(ASK_MOVE), output.count("  0 1 2 3 4 5\n")) == (35, 36)


def test_a_dead_end_ends_the_dialogue() -> None:
    output = dialogue("1 3\n3 2\n2 4\n0 5\n0 0\n")
    assert output.endswith(board([(1, 3), (3, 2), (2, 4), (0, 5)]) + "Sorry. No more moves!\n")
    assert output.count(ASK_MOVE) == 3


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", ASK_START),
        ("1", ASK_START),
        ("9 9\n", ASK_START + TRY_AGAIN + ASK_START),
        ("1 3\n", ASK_START + board([(1, 3)]) + ASK_MOVE),
        ("1 3\n0 1\n2", ASK_START + board([(1, 3)]) + (ASK_MOVE + board([(1, 3), (0, 1)])) + ASK_MOVE),
        ("1\n3\n\n0\n1", ASK_START + board([(1, 3)]) + ASK_MOVE + board([(1, 3), (0, 1)]) + ASK_MOVE),
    ],
)
def test_the_end_of_the_input_ends_the_dialogue_quietly(typed: str, expected: str) -> None:
    assert dialogue(typed) == expected


@pytest.mark.parametrize("file", ["knights_tour.py", "tour.py"])
def test_each_file_begins_with_who_wrote_it(file: str) -> None:
    header = (FOLDER / file).read_text().splitlines()[:3]
    assert [line.partition(":")[0] for line in header] == ["# Name", "# Student ID", "# E-mail"]
