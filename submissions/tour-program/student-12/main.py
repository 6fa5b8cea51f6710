"""Knight's tour as a program: size and start from standard input, the tour on standard output."""
import sys


def main(words):
    words = iter(words)
    for word in words:
        n = int(word)
        if n >= 5:
            break
        print(f"{n} is less than 5, give another size")
    else:
        return "there is no size to work with"
    start = next(words)
    row, column = ord(start[0].lower()) - 97, int(start[1:])
    return draw(n, tour(n, row, column)) if (n * (row + column)) % 2 == 0 else f"{start}: there's no tour from here"


def tour(n, row, column):
    """Warnsdorff's rule; where several squares have the same number of ways on, the one nearest to the edge."""
    degree = {}
    around = {}
    for r in range(n):
        for c in range(n):
            around[r, c] = [
                (r + a, c + b)
                for a, b in ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))
                if r + a in range(n) and c + b in range(n)
            ]
            degree[r, c] = len(around[r, c])

    def edge(square):
        return sum(min(k, n - 1 - k) for k in square)

    here, path = (row, column), []
    trail = []
    while True:
        path.append(here)
        for square in around[here]:
            degree[square] -= 1
        if len(path) == n * n:
            return path
        taken = set(path)
        trail.append(sorted((s for s in around[here] if s not in taken), key=lambda s: (degree[s], edge(s)), reverse=True))
        while not trail[-1]:
            trail.pop()
            for square in around[path.pop()]:
                degree[square] += 1
        here = trail[-1].pop()


def draw(n, path):
    cells = [[0] * n for _ in range(n)]
    for number, (r, c) in enumerate(path, 1):
        cells[r][c] = number
    head = "    " + "".join(f"{c:5}" for c in range(n))
    rows = [f"{chr(97 + r) if r < 26 else '?':>3} " + "".join(f"{x:5}" for x in cells[r]) for r in range(n)]
    rule = "-" * (4 + 5 * n)
    return "\n".join([head, rule, *rows, rule])


if __name__ == "__main__":
    print(main(sys.stdin.read().split()))
