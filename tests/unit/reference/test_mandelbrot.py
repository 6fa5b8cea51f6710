"""The Mandelbrot reference against the figures derived from its source, and against the definition."""

import importlib.util
import math
import sys
from pathlib import Path
from typing import Any

import pytest

PLACE = Path(__file__).parents[3] / "reference" / "mandelbrot" / "mandelbrot.py"

VIEWS = {
    "example 1": (-2.0 - 1.5j, 1.0 + 1.5j, 322439, 315),
    "example 2": (-0.37465401 + 0.659227668j, -0.37332410 + 0.66020767j, 184951, 0),
    "example 3": (0.435396403 + 0.367981352j, 0.451687191 + 0.380210061j, 173134, 123),
    "Paulson": (-0.74364990 + 0.13188170j, -0.74291189 + 0.13261971j, 120186, 0),
    "Villadsen": (0.10284 - 0.63275j, 0.11084 - 0.64075j, 129463, 1),
    "another": (0.3439274 + 0.6516478j, 0.3654477 + 0.6301795j, 179725, 139),
}

NINE_BY_EIGHT = """
    1 1 1 2 2 2 2 2 2
    1 1 2 3 3 4 4 2 2
    1 3 3 3 4 8 34 5 3
    1 4 6 8 18 1000 1000 1000 3
    1 1000 1000 1000 1000 1000 1000 9 4
    1 4 6 8 18 1000 1000 1000 3
    1 3 3 3 4 8 34 5 3
    1 1 2 3 3 4 4 2 2
"""


def load() -> Any:
    spec = importlib.util.spec_from_file_location("reference_mandelbrot", PLACE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


REFERENCE = load()


def by_definition(c: complex, most: int) -> int:
    """Count as the source says, operation by operation, root included."""
    re = im = 0.0
    count = 0
    while count < most and math.sqrt(re * re + im * im) < 2:
        count += 1
        re, im = re * re - im * im + c.real, re * im + re * im + c.imag
    return count


@pytest.mark.parametrize(
    ("c", "expected"),
    [
        (0, 1000),
        (2, 1),
        (-2, 1),
        (3, 1),
        (2j, 1),
        (1, 2),
        (1 + 1j, 2),
        (0.5, 5),
        (-1, 1000),
        (1j, 1000),
        (0.25, 1000),
    ],
)
def test_iterations(c: complex, expected: int) -> None:
    assert REFERENCE.iterations(complex(c), 1000) == expected


@pytest.mark.parametrize("most", [5, 6, 59, 60, 61, 1000])
def test_a_half_takes_five_whatever_the_limit(most: int) -> None:
    assert REFERENCE.iterations(0.5 + 0j, most) == 5


@pytest.mark.parametrize("most", [0, 1, 2, 59, 60, 61, 119, 120, 121])
def test_the_limit_holds_exactly(most: int) -> None:
    for c in (0j, -1 + 0j, 1j, -0.1 + 0.6j):
        assert REFERENCE.iterations(c, most) == most


@pytest.mark.parametrize("c", [0j, 2 + 0j, 0.5 + 0j, 5 + 5j])
def test_a_limit_of_none_or_one(c: complex) -> None:
    assert [REFERENCE.iterations(c, most) for most in (0, 1)] == [0, 1]


def test_example_1_on_nine_by_eight_points() -> None:
    expected = [[int(word) for word in row.split()] for row in NINE_BY_EIGHT.strip().splitlines()]
    assert REFERENCE.mandelbrot(-2 - 1.5j, 1 + 1.5j, 1000, 9, 8) == expected


@pytest.mark.parametrize("name", VIEWS)
def test_sum_and_black_points_of_each_view(name: str) -> None:
    start, end, total, black = VIEWS[name]
    rows = REFERENCE.mandelbrot(start, end, 1000, 45, 40)
    assert [len(rows), {len(row) for row in rows}] == [40, {45}]
    assert (sum(map(sum, rows)), sum(row.count(1000) for row in rows)) == (total, black)


@pytest.mark.parametrize("name", VIEWS)
def test_each_count_is_that_of_the_definition(name: str) -> None:
    start, end, _, _ = VIEWS[name]
    dx, dy = (end.real - start.real) / 18, (end.imag - start.imag) / 16
    expected = [
        [by_definition(complex(start.real + x * dx, start.imag + y * dy), 1000) for x in range(18)]
        for y in range(16)
    ]
    assert REFERENCE.mandelbrot(start, end, 1000, 18, 16) == expected


@pytest.mark.parametrize("n", [0, 12, 25])
def test_the_zoom_into_example_3(n: int) -> None:
    first, last, _, _ = VIEWS["example 3"]
    delta = (last - first) * 0.0333
    start, end = first + delta * n, last - delta * n
    dx, dy = (end.real - start.real) / 9, (end.imag - start.imag) / 8
    rows = REFERENCE.mandelbrot(start, end, 100, 9, 8)
    points = [[complex(start.real + x * dx, start.imag + y * dy) for x in range(9)] for y in range(8)]
    assert rows == [[by_definition(c, 100) for c in row] for row in points]


def test_the_first_row_has_the_start_and_the_end_is_outside() -> None:
    rows = REFERENCE.mandelbrot(0j, 3 + 3j, 10, 3, 3)
    assert (rows[0][0], rows[0][1], rows[1][0]) == (10, 2, 10)
    upside_down = REFERENCE.mandelbrot(0 + 3j, 3 + 0j, 10, 3, 3)
    assert [row[0] for row in upside_down] == [1, 1, 10]


def test_the_square_below_four_has_a_root_below_two() -> None:
    assert math.sqrt(math.nextafter(4.0, 0.0)) < 2.0
    assert math.sqrt(4.0) == 2.0


@pytest.mark.parametrize("c", [complex(math.nan, 0), complex(math.inf, 0), 1e300 + 1e300j])
def test_what_is_no_ordinary_number_leaves_at_once(c: complex) -> None:
    assert REFERENCE.iterations(c, 1000) == 1
