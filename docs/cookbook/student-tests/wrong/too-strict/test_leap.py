import pytest
from leap import is_leap


def test_years():
    assert is_leap(2000) and not is_leap(1900)


def test_text():
    with pytest.raises(TypeError, match="a year is a whole number"):
        is_leap("2000")
