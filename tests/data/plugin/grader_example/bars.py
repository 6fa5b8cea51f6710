"""Numbers as bars."""

from grader.api.renderers import Cell, Fill, Grid, Picture, Renderer, Value

_MOST = 20


def _bars(actual: Value, expected: Value, title: str = "the numbers") -> list[Picture]:
    """Draw a list of small whole numbers as columns of squares."""
    if type(actual) is not list or not 0 < len(actual) <= _MOST:
        return []
    if any(type(number) is not int or not 0 <= number <= _MOST for number in actual):
        return []
    cells = tuple(
        Cell((column, _MOST - 1 - row), fill=Fill.FIRST)
        for column, number in enumerate(actual)
        for row in range(number)
    )
    return [Picture(title, " ".join(map(str, actual)), Grid(len(actual), _MOST, cells))]


BARS = Renderer(_bars, "title='the numbers'")
