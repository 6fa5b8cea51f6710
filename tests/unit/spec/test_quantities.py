"""Durations, sizes and marks, read exactly."""

from fractions import Fraction

import pytest

from grader.yamlfile.quantities import decimal, duration_s, integer, size_b, tolerance


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("500ms", "0.5"),
        ("30s", "30"),
        ("2min", "120"),
        ("1.5h", "5400"),
        ("7", "7"),
        ("0.1 s", "0.1"),
        (".5", "0.5"),
    ],
)
def test_durations_are_seconds(text: str, seconds: str) -> None:
    assert duration_s(text) == Fraction(seconds)


@pytest.mark.parametrize(
    ("text", "size"),
    [("10", 10), ("10B", 10), ("64KiB", 65536), ("1.5 MiB", 1572864), ("1GiB", 1024**3)],
)
def test_sizes_are_bytes(text: str, size: int) -> None:
    assert size_b(text) == size


def test_marks_are_exact() -> None:
    assert decimal("0.1") == Fraction(1, 10)
    assert decimal("11") == 11


@pytest.mark.parametrize(
    "text", ["", "-1", "1e3", "1/3", "one", "1.", "\u0661", "9" * 30, "inf", "nan", " 1"]
)
def test_other_texts_are_no_marks(text: str) -> None:
    assert decimal(text) is None


@pytest.mark.parametrize("text", ["5m", "30 sec", "s", "-1s", "1min30s", "1e3s", "infs"])
def test_other_texts_are_no_durations(text: str) -> None:
    assert duration_s(text) is None


@pytest.mark.parametrize("text", ["1GB", "1KB", "KiB", "-1B", "1kib", "1TiB"])
def test_other_texts_are_no_sizes(text: str) -> None:
    assert size_b(text) is None


def test_whole_numbers_and_tolerances() -> None:
    assert integer("-12") == -12
    assert integer("1.0") is None
    assert tolerance("1e-9") == 1e-9
    assert tolerance("0.25") == 0.25
    assert tolerance("-1") is None
    assert tolerance("1e9999") is None
