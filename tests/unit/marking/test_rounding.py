"""One rounding at the end, and marks as text."""

from fractions import Fraction

import pytest

from grader.marking.rounding import format_mark, rounded
from grader.model.task import Rounding, RoundingMode

HALF_UP, HALF_EVEN, DOWN, UP = (
    RoundingMode.HALF_UP,
    RoundingMode.HALF_EVEN,
    RoundingMode.DOWN,
    RoundingMode.UP,
)


@pytest.mark.parametrize(
    ("mark", "step", "mode", "result"),
    [
        ("2.125", "0.01", HALF_UP, "2.13"),
        ("2.125", "0.01", HALF_EVEN, "2.12"),
        ("2.135", "0.01", HALF_EVEN, "2.14"),
        ("2.125", "0.01", DOWN, "2.12"),
        ("2.121", "0.01", UP, "2.13"),
        ("2.12", "0.01", UP, "2.12"),
        ("1/3", "0.01", HALF_UP, "0.33"),
        ("2/3", "0.5", HALF_UP, "0.5"),
        ("3/4", "0.5", HALF_UP, "1"),
        ("5/2", "1", HALF_EVEN, "2"),
        ("7", "0.3", HALF_UP, "6.9"),
        ("-1/2", "1", HALF_UP, "0"),
        ("-1/2", "1", DOWN, "-1"),
    ],
)
def test_rounds_exactly(mark: str, step: str, mode: RoundingMode, result: str) -> None:
    assert rounded(Fraction(mark), Rounding(Fraction(step), mode)) == Fraction(result)


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        ("0", "0"),
        ("11", "11"),
        ("100", "100"),
        ("19/2", "9.5"),
        ("1/8", "0.125"),
        ("1/100", "0.01"),
        ("301/100", "3.01"),
        ("1/3", "1/3"),
        ("22/7", "22/7"),
        ("-1/2", "-0.5"),
        ("-1/3", "-1/3"),
        ("1/1024", "0.0009765625"),
    ],
)
def test_marks_are_written_without_needless_zeros(mark: str, text: str) -> None:
    assert format_mark(Fraction(mark)) == text
