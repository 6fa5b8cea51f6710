from shapes import area


def total(shapes):
    return sum(area(shape, side) for shape, side in shapes)
