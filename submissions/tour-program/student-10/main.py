import sys

sys.setrecursionlimit(5000)

size = int(input("Enter board size: "))
while size < 5:
    print("too small, again")
    size = int(input("Enter board size: "))
start = input("Enter start: ")
i = ord(start[0]) - ord("a")
j = int(start[1:])

board = [[0] * size for _ in range(size)]
offsets = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def possible(i, j):
    return [
        (i + a, j + b)
        for a, b in offsets
        if 0 <= i + a < size and 0 <= j + b < size and not board[i + a][j + b]
    ]


def search(i, j, k):
    print("trying move", k, "at", i, j)
    board[i][j] = k
    if k == size**2:
        return True
    for a, b in sorted(possible(i, j), key=lambda p: len(possible(*p))):
        if search(a, b, k + 1):
            return True
    board[i][j] = 0
    print("stuck at move", k, "going back")
    return False


if search(i, j, 1):
    print("-" * size * 5)
    for row in board:
        print(" | ".join(f"{c:3}" for c in row))
    print("-" * size * 5)
else:
    print("failed, no tour from", start)
