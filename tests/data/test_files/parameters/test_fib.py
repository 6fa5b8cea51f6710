import pytest
from solution import TooDeep, fib, flat


@pytest.mark.parametrize("n, answer", [(3, 2), (4, 3), (6, 8)])
def test_fib(n, answer):
    assert fib(n) == answer


@pytest.mark.parametrize("n, answer", [(30, 832040), (90, 2880067194370816120)], ids=["30", "90"])
def test_far(n, answer):
    assert fib(n) == answer


class TestFlat:
    def test_flat(self):
        items = [1, [2, [3]], []]
        assert flat(items) == [1, 2, 3]
        assert items == [1, [2, [3]], []]

    def test_too_deep(self):
        with pytest.raises(TooDeep, match="deeper than 3") as caught:
            flat([[[[[1]]]]])
        assert caught.value.depth == 3
