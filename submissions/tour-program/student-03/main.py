# port of my c++ solution

moves = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)]


def is_feasible(pos, board):
    x, y = pos
    n = len(board)
    return x >= 0 and y >= 0 and x < n and y < n and board[x][y] == 0


def possible_positions(pos, board):
    result = []
    for m in moves:
        p = (pos[0] + m[0], pos[1] + m[1])
        if is_feasible(p, board):
            result.append(p)
    return result


def onward_moves(pos, board):
    return len(possible_positions(pos, board))


def possible_positions_sorted(pos, board):
    return sorted(possible_positions(pos, board), key=lambda p: onward_moves(p, board))


def backtracking(tour, board):
    if len(tour) == len(board) * len(board):
        return tour
    for p in possible_positions_sorted(tour[-1], board):
        tour.append(p)
        board[p[0]][p[1]] = 1
        result = backtracking(tour, board)
        if result:
            return result
        tour.pop()
        board[p[0]][p[1]] = 0
    return []


def print_results(tour, n):
    if not tour:
        print("No solution found")
        return
    grid = [[0] * n for i in range(n)]
    count = 1
    for x, y in tour:
        grid[x][y] = count
        count += 1
    line = "-" * (n * 8)
    print(line)
    for row in grid:
        for cell in row:
            print(cell, end="\t")
        print()
    print(line)


print("Welcome to the knight's tour problem. First type the size of the board as a number")
size = 0
while size < 5:
    size = int(input())
    if size < 5:
        print("The size should be at least 5\nEnter it again:")
print("Now type the starting position of the knight! (Example: a0)")
position = input()
x0 = ord(position[0]) - ord("a")
y0 = ord(position[1]) - ord("0")
board = [[0] * size for i in range(size)]
board[x0][y0] = 1
print_results(backtracking([(x0, y0)], board), size)
input()
