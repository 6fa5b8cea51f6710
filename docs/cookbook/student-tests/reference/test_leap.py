import pytest
from leap import is_leap


@pytest.mark.parametrize("year", [1996, 2004, 2000])
def test_leap(year):
    assert is_leap(year)


@pytest.mark.parametrize("year", [1997, 1900, 2100])
def test_common(year):
    assert not is_leap(year)


def test_text():
    with pytest.raises(TypeError):
        is_leap("1996")
