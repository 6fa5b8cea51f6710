# simple solution: try everything
N = 0
while N < 5:
    N = int(input("N = "))
s = input("start = ")
sx = ord(s[0]) - 97
sy = int(s[1:])

board = [[0 for i in range(N)] for j in range(N)]
steps = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]]


def go(x, y, k):
    board[x][y] = k
    if k == N * N:
        return True
    for dx, dy in steps:
        a = x + dx
        b = y + dy
        if a >= 0 and a < N and b >= 0 and b < N and board[a][b] == 0:
            if go(a, b, k + 1):
                return True
    board[x][y] = 0
    return False


if go(sx, sy, 1):
    print(N * "----")
    for row in board:
        print("".join("%4d" % c for c in row))
    print(N * "----")
else:
    print("no tour!")
