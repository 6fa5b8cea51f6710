from math import sqrt


def triangle_area(a, b, c):
    """Return the area of a triangle with these sides, by Heron's formula."""
    half = (a + b + c) / 2
    return sqrt(half * (half - a) * (half - b) * (half - c))
