def triangle(rows):
    for row in range(rows):
        print(("*" * (2 * row + 1)).center(2 * rows - 1))
