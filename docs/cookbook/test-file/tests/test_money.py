import pytest
from money import Money, OtherCurrency, share


def test_new(ten):
    assert ten.cents == 1000
    assert ten.currency == "EUR"


@pytest.mark.points(2)
@pytest.mark.parametrize("cents", [0, 1, 250])
def test_add(ten, cents):
    total = ten + Money(cents)
    assert total.cents == 1000 + cents


def test_equal(ten):
    assert ten == Money(1000)
    assert not ten == Money(1001)
    assert not ten == Money(1000, "CHF")


class TestMistakes:
    def test_negative(self):
        with pytest.raises(ValueError, match="not negative"):
            Money(-1)

    def test_currencies(self, ten):
        with pytest.raises(OtherCurrency):
            ten + Money(1, "CHF")


def test_share():
    assert share(10, 4) == [3, 3, 2, 2]
    assert share(0, 2) == [0, 0]
