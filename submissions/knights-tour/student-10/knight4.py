# knight4.py -- boards with holes

OFFSETS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def moves_to(squares, x):
    return [(x[0] + dx, x[1] + dy) for dx, dy in OFFSETS if (x[0] + dx, x[1] + dy) in squares]


def one_tour_pred(dim, path, n, f):
    squares = {(x, y) for x in range(dim) for y in range(dim) if (x, y) not in path and f((x, y))}
    return search(squares, path, n)


def show(squares, path):
    for y in range(12):
        print(" ".join("%3d" % path.index((x, y)) if (x, y) in path else "  ." for x in range(12)))
    print(len(path), "fields so far,", len(squares), "still free")


def search(squares, path, n):
    show(squares, path)  # TODO: take this out again
    if len(path) == n:
        return path
    moves = moves_to(squares, path[0])
    for m in moves:
        found = search(squares - {m}, [m] + path, n)
        if found is not None:
            return found
    return None
