import random

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def neighbours(square, n):
    x, y = square
    return [(x + a, y + b) for a, b in MOVES if 0 <= x + a < n and 0 <= y + b < n]


def attempt(n, start):
    """One walk by Warnsdorff's rule, ties by lot."""
    path, seen = [start], {start}
    while True:
        options = [s for s in neighbours(path[-1], n) if s not in seen]
        if not options:
            return path
        random.shuffle(options)
        best = min(options, key=lambda s: sum(t not in seen for t in neighbours(s, n)))
        path.append(best)
        seen.add(best)


def find(n, start):
    if n % 2 and sum(start) % 2:
        return None
    while True:
        path = attempt(n, start)
        if len(path) == n * n:
            return path


n = int(input("size> "))
while n < 5:
    n = int(input("at least 5> "))
name = input("start> ")
path = find(n, (ord(name[0]) - ord("a"), int(name[1:])))
if path is None:
    print("impossible")
else:
    for x in range(n):
        print(*(f"{path.index((x, y)):4}" for y in range(n)))
