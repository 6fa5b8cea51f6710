def triangle(rows):
    print("\n".join(" " * (rows - row) + "*" * (2 * row - 1) for row in range(1, rows + 1)))
