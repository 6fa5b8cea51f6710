import shapes as s


def total(shapes):
    result = 0
    for shape in shapes:
        result += s.area(*shape)
    return result
