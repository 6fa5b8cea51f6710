"""The checkers of closed-tour, and the plain search that times are compared with."""

import importlib.util
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from support.rule_sources import findings

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "reference" / "closed_tour"


def load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


checkers = load("closed_tour_checkers", ROOT / "specs" / "closed-tour" / "checkers.py")

RING = [[0, 0, 0], [0, -1, 0], [0, 0, 0]]
TOUR = "3\n3\n1 6 3\n4 -1 8\n7 2 5\n"


def test_a_closed_tour_is_right() -> None:
    assert checkers.tour(TOUR, RING) is None


@pytest.mark.parametrize(
    ("printed", "loosely", "exactly"),
    [
        (TOUR, "", ""),
        ("your board:\n" + TOUR, "", "should begin with 3 and 3"),
        (TOUR + "done\n", "", "3 rows of 3 numbers, and nothing else"),
        ("1 6 3\n4 -1 8\n7 2 5\n", "", "should begin with 3 and 3"),
        ("3\n3\n1 6 3\n4 -1 8\n7 5 2\n", "no knight's move", "no knight's move"),
        ("no tour\n", "should show 3 x 3 numbers", "should begin with 3 and 3"),
    ],
)
def test_the_tour_that_a_program_prints(printed: str, loosely: str, exactly: str) -> None:
    did: dict[str, object] = {"stdout": printed}
    for fault, is_exact in ((loosely, False), (exactly, True)):
        found = checkers.solved(did, RING, is_exact)
        assert found is None if not fault else fault in (found or "")


def test_the_form_of_the_text_does_not_matter_to_a_tour() -> None:
    assert checkers.tour("1 6 3 4 -1 8 7 2 5", RING) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (TOUR.replace("-1", "0"), "(1, 1) is no empty square and must stay -1, it is 0"),
        (TOUR.replace("8", "7"), "7 stands on (1, 2) and on (2, 0)"),
        (TOUR.replace("8", "9"), "8 is missing: the tour has the numbers 1 to 8"),
        (TOUR.replace("8", "0"), "8 is missing: the tour has the numbers 1 to 8"),
        (TOUR.replace("1 6 3", "6 1 3"), "from 1 on (0, 1) to 2 on (2, 1) is no knight's move"),
        ("1 2 3", "the board as a text should show 3 x 3 numbers"),
        ("", "the board as a text should show 3 x 3 numbers"),
        (None, "the board as a text should show 3 x 3 numbers"),
        ("9" * 5000 + TOUR.removeprefix("3\n3\n"), "the board as a text shows numbers that are no moves"),
    ],
)
def test_what_is_wrong_with_a_tour_is_told(text: object, fault: str) -> None:
    assert checkers.tour(text, RING) == fault


def test_the_way_back_must_be_a_move_too() -> None:
    rows = [[0, -1, 0, -1], [-1] * 4, [-1, 0, -1, 0]]
    text = "1 -1 3 -1\n-1 -1 -1 -1\n-1 2 -1 4"
    assert checkers.tour(text, rows) == "from 4 on (2, 3) back to 1 on (0, 0) is no knight's move"


@pytest.mark.parametrize("text", ["2\n3\n1 -1 0\n0 2 -1", "2 \n 3\n\n1  -1 0\n0 2 -1 \n\n"])
def test_blanks_and_empty_lines_do_not_matter_to_a_board(text: str) -> None:
    assert checkers.shows(text, [[1, -1, 0], [0, 2, -1]]) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("3\n2\n1 -1 0\n0 2 -1", "line 1 should be '2', not '3'"),
        ("2 3\n1 -1 0\n0 2 -1", "line 1 should be '2', not '2 3'"),
        ("2\n3\n1 -1 0", "expected 4 lines: m, n and the rows; there are 3"),
        ("2\n3\n1 -1 0\n0 2 -1\n0", "expected 4 lines: m, n and the rows; there are 5"),
        ("2\n3\n1 -1 0\n0 2 1", "line 4 should be '0 2 -1', not '0 2 1'"),
        (7, "the board as a text is no text"),
    ],
)
def test_what_is_wrong_with_a_board_is_told(text: object, fault: str) -> None:
    assert checkers.shows(text, [[1, -1, 0], [0, 2, -1]]) == fault


def test_a_square_of_a_board_can_be_set() -> None:
    assert checkers.shows("1\n2\n0 5", [[0, 0]], row=0, column=1, value=5) is None


def test_the_reference_keeps_the_rules_that_submissions_must_keep() -> None:
    for path in REFERENCE.glob("*.py"):
        assert findings("no recursion", path.read_text("utf-8")) == []


def test_the_plain_search_agrees_with_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(REFERENCE))
    for name in ("knight", "backtracking"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    backtracking, knight = import_module("backtracking"), import_module("knight")

    boards = (
        RING,
        [[0] * 4] * 3,
        [[0] * 4] * 4,
        [[0, 0]],
        [[0]],
        [[-1]],
        [[0, -1], [-1, -1], [-1, 0]],
        [[-1, 0, 0, 0, 0, -1], *[[0] * 6] * 4, [-1, 0, 0, 0, 0, -1]],
    )
    for rows in boards:
        board = knight.Board(len(rows), len(rows[0]), rows)
        again = knight.Board(len(rows), len(rows[0]), rows)
        assert backtracking.knightsTour(board) == knight.knightsTour(again)
        if knight.knightsTour(knight.Board(len(rows), len(rows[0]), rows)):
            assert checkers.tour(str(board), rows) is None
