"""Checkers of mandelbrot: whether a picture has the shape and, nearly, the sums that it should have."""

SHARE = 0.005
"""Of the sum of all counts, and of the points inside at least one, may be off by so much."""


def counts(answer: object, width: int, height: int, total: int, inside: int, most: int = 1000) -> str | None:
    """Tell what is wrong with the picture's shape, the sum of its counts, or its points inside.

    inside: how many points have the count `most`.
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
