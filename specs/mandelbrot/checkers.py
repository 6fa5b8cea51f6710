"""Checkers of mandelbrot: whether a picture has the shape and, nearly, the sums that it should have."""

SHARE = 0.005
"""The share by which the sum of all counts, or the number of points inside (by one at least), may be off."""


def counts(answer: object, width: int, height: int, total: int, inside: int, most: int = 1000) -> str | None:
    """Return the fault of the picture's shape, the sum of its counts, or its points inside, or None.

    inside: the number of points with the count `most`.
    """
    if not isinstance(answer, list | tuple) or len(answer) != height:
        return f"expected {height} rows"
    points: list[object] = []
    for number, row in enumerate(answer, 1):
        if not isinstance(row, list | tuple) or len(row) != width:
            return f"row {number}: expected {width} counts"
        points += row
    numbers = [point for point in points if type(point) is int and 0 <= point <= most]
    if len(numbers) < len(points):
        return f"expected whole numbers from 0 to {most} alone"
    if abs(sum(numbers) - total) > SHARE * total:
        return f"the sum of all counts is {sum(numbers)}, expected about {total}"
    found = numbers.count(most)
    if abs(found - inside) > max(1, SHARE * inside):
        return f"{found} points never leave, expected about {inside}"
    return None
