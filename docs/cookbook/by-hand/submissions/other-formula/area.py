from math import sqrt


def triangle_area(a, b, c):
    """Return the area of the triangle, in the square of the sides' unit."""
    return sqrt(4 * a**2 * b**2 - (a**2 + b**2 - c**2) ** 2) / 4
