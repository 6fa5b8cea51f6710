"""Rounds a mark, and turns marks into text and back.  Exact."""

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from grader.model.task import Rounding, RoundingMode

_HALF = Fraction(1, 2)
_KNOWN = 4096


def rounded(mark: Fraction, rounding: Rounding) -> Fraction:
    """Return `mark` rounded to a multiple of `rounding.step`, which is above 0.

    Down and up are towards minus and plus infinity.  Half-up rounds a mark midway between two steps up,
    half-even to the even multiple.
    """
    steps = mark / rounding.step
    match rounding.mode:
        case RoundingMode.DOWN:
            count = floor(steps)
        case RoundingMode.UP:
            count = ceil(steps)
        case RoundingMode.HALF_EVEN:
            count = round(steps)
        case RoundingMode.HALF_UP:
            count = floor(steps + _HALF)
    return count * rounding.step


def format_mark(mark: Fraction) -> str:
    """Return a mark as a decimal without needless zeros, or as `n/d` where no decimal is exact."""
    places = _decimal_places(mark.denominator)
    if places is None:
        return f"{mark.numerator}/{mark.denominator}"
    digits = str(abs(mark.numerator) * 10**places // mark.denominator).zfill(places + 1)
    sign = "-" if mark < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def csv_number(mark: Fraction) -> str:
    """Return a mark as a bare number, so that a spreadsheet can add it.

    A mark that no decimal equals has four places: a spreadsheet would read `n/d` as a date.
    """
    text = format_mark(mark)
    return text if "/" not in text else f"{float(mark):.4f}".rstrip("0").rstrip(".")


@lru_cache(_KNOWN)
def parse_mark(text: str) -> Fraction:
    """Return the mark of a text that `format_mark` made.  Raises `ValueError`.

    Most marks of a cohort are equal, so each is parsed once.
    """
    return Fraction(text)


def _decimal_places(denominator: int) -> int | None:
    """Return how many decimal places a fraction in lowest terms needs; None where no decimal is exact."""
    rest, twos, fives = denominator, 0, 0
    while rest % 2 == 0:
        rest //= 2
        twos += 1
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    return max(twos, fives) if rest == 1 else None
