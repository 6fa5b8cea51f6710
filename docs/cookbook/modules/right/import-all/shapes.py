def area(shape, side):
    if shape == "square":
        return side**2
    return side**2 // 2
