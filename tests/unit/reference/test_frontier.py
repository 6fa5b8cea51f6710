"""The count of knight's tours that does not walk them: known numbers, and small boards walked in full."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

PLACE = Path(__file__).parents[3] / "benchmarks" / "frontier.py"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("benchmarks_frontier", PLACE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


FRONTIER = load()


def walk(columns: int, rows: int) -> int:
    """Count directed open tours one by one."""
    squares = {(x, y) for x in range(columns) for y in range(rows)}

    def onward(square: tuple[int, int], free: set[tuple[int, int]]) -> int:
        x, y = square
        near = {(x + dx, y + dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)}
        return 1 if not free else sum(onward(move, free - {move}) for move in near & free)

    return sum(onward(square, squares - {square}) for square in squares)


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        (1, 1),
        (1, 2),
        (2, 2),
        (2, 5),
        (3, 3),
        (3, 4),
        (4, 3),
        (4, 4),
        (3, 5),
        (5, 3),
        (3, 6),
        (3, 7),
        (4, 5),
    ],
)
def test_small_boards_have_as_many_tours_as_can_be_walked(columns: int, rows: int) -> None:
    assert FRONTIER.count_tours(columns, rows) == walk(columns, rows)


def test_five_by_five() -> None:
    assert FRONTIER.count_tours(5, 5) == 1728


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_squares_below_five_have_none(columns: int) -> None:
    assert FRONTIER.count_tours(columns, columns) == 0


@pytest.mark.parametrize(("columns", "rows", "expected"), [(3, 8, 792), (4, 6, 1488)])
def test_rectangles(columns: int, rows: int, expected: int) -> None:
    assert FRONTIER.count_tours(columns, rows) == FRONTIER.count_tours(rows, columns) == expected


def test_six_by_six() -> None:
    # The slowest test here: about 25 s of CPU time.
    assert FRONTIER.count_tours(6, 6) == 6637920


def test_progress_tells_how_many_states_there_are() -> None:
    sizes: list[int] = []
    FRONTIER.count_tours(3, 4, lambda name, layers: sizes.append(sum(map(len, layers))))
    assert sizes
    assert max(sizes) > 1


def test_a_board_with_too_many_squares_is_refused() -> None:
    with pytest.raises(ValueError, match="fewer than 126 squares, got 144"):
        FRONTIER.count_tours(12, 12)
