import pytest
from money import Money


@pytest.fixture
def ten():
    return Money(1000)
