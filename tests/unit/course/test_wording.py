"""Numbers in the lines of a term."""

from fractions import Fraction

import pytest

from grader.course.arithmetic.wording import TermLine, decimals, marks_of, percent_range, signed_percent


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(10), "10"),
        (Fraction(1, 8), "0.125"),
        (Fraction(200, 3), "66.66…"),
        (Fraction(49996, 1000), "49.996"),
        (Fraction(499999, 10000), "49.99…"),
        (Fraction(-200, 3), "-66.66…"),
        (Fraction(1, 3000), "0.00…"),
    ],
)
def test_a_number_is_exact_or_cut_off_and_never_rounded_up(value: Fraction, text: str) -> None:
    assert decimals(value) == text


def test_words_around_numbers() -> None:
    assert marks_of(Fraction(1, 2), Fraction(1)) == "0.5 of 1 mark"
    assert percent_range(Fraction(1, 2), Fraction(1, 2)) == "50%"
    assert signed_percent(Fraction(-3, 100)) == "-3%"
    assert str(TermLine("tour", "left out")) == "tour: left out"
