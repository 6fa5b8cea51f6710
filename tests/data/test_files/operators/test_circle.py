from math import pi

import pytest
from solution import Circle


@pytest.fixture
def four():
    return Circle(4)


def test_radius(four):
    assert four.radius == 4
    four.radius = 2
    assert four.radius == 2


def test_area(four):
    assert four.area == pytest.approx(16 * pi)
    assert abs(Circle(1).area - 3.14159) < 0.001


def test_of_diameter():
    assert Circle.of_diameter(1086).radius == 543


def test_operators(four):
    assert repr(four + Circle(2)) == "Circle(6)"
    assert repr(four * 3) == repr(3 * four) == "Circle(12)"
    assert Circle(2) < four and four == Circle(4) and not four == Circle(5)


def test_sorted():
    circles = sorted([Circle(3), Circle(1), Circle(2)])
    assert [circle.radius for circle in circles] == [1, 2, 3]


def test_no_area_to_set(four):
    with pytest.raises(AttributeError):
        four.area = 42
    assert four.area > 50
