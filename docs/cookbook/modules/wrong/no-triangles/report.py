from shapes import area


def total(shapes):
    return sum(area(*shape) for shape in shapes)
