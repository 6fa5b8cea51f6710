"""A knight's tour by Warnsdorff's rule; takes all odd boards for hopeless."""

JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
SMALLEST = 5


def ask_size():
    size = int(input("Size of the board: "))
    while size < SMALLEST:
        print("It must be 5 at least.")
        size = int(input("Size of the board: "))
    return size


def ask_start():
    text = input("Start: ")
    return ord(text[0]) - ord("a"), int(text[1:])


def moves_from(square, size, visited):
    x, y = square
    found = [(x + a, y + b) for a, b in JUMPS]
    return [(a, b) for a, b in found if 0 <= a < size and 0 <= b < size and (a, b) not in visited]


def ordered_moves(square, size, visited):
    moves = moves_from(square, size, visited)
    return sorted(moves, key=lambda move: len(moves_from(move, size, visited)))


def find_tour(size, start):
    path, visited = [start], {start}
    waiting = [ordered_moves(start, size, visited)]
    while len(path) < size * size:
        if waiting[-1]:
            square = waiting[-1].pop(0)
            path.append(square)
            visited.add(square)
            waiting.append(ordered_moves(square, size, visited))
        elif len(path) == 1:
            return None
        else:
            waiting.pop()
            visited.remove(path.pop())
    return path


def has_tour(size, start):
    return size % 2 == 0


def show(size, path):
    numbers = {square: number for number, square in enumerate(path, 1)}
    print("-" * (5 * size))
    for x in range(size):
        print("".join(f"{numbers[x, y]:5}" for y in range(size)))
    print("-" * (5 * size))


def main():
    size = ask_size()
    start = ask_start()
    path = find_tour(size, start) if has_tour(size, start) else None
    if path is None:
        print("There is no tour from this square.")
    else:
        show(size, path)


if __name__ == "__main__":
    main()
