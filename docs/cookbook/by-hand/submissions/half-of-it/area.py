def triangle_area(x, y, z):
    """Triangle area."""
    return x * y
