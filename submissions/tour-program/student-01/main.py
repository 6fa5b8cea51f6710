# Knight's tour. Warnsdorff with backtracking, written recursively.
import sys

sys.setrecursionlimit(10000)

KNIGHT = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)]


def read_size():
    n = int(input("Board size (5 or more): "))
    while n < 5:
        print("That is too small.")
        n = int(input("Board size (5 or more): "))
    return n


def read_start(n):
    text = input("Start square, e.g. a0: ").strip().lower()
    return ord(text[0]) - ord("a"), int(text[1:])


def free(board, x, y):
    n = len(board)
    return [
        (x + dx, y + dy)
        for dx, dy in KNIGHT
        if 0 <= x + dx < n and 0 <= y + dy < n and board[x + dx][y + dy] == 0
    ]


def visit(board, x, y, number):
    board[x][y] = number
    if number == len(board) ** 2:
        return True
    for a, b in sorted(free(board, x, y), key=lambda s: len(free(board, *s))):
        if visit(board, a, b, number + 1):
            return True
    board[x][y] = 0
    return False


def show(board):
    n = len(board)
    print("-" * (5 * n))
    # like a chess board: the letters go to the right, the numbers upwards
    for y in reversed(range(n)):
        print("\t".join(str(board[x][y]) for x in range(n)))
    print("-" * (5 * n))


def main():
    n = read_size()
    x, y = read_start(n)
    if n % 2 == 1 and (x + y) % 2 == 1:
        print("Sorry, there cannot be a tour from this square.")
        return
    board = [[0] * n for _ in range(n)]
    if visit(board, x, y, 1):
        show(board)
    else:
        print("No tour found.")


main()
