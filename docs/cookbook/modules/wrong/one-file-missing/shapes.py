def area(shape, side):
    return side * side if shape == "square" else side * side // 2
