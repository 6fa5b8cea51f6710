"""The tour as a program: reads a board, prints it with a closed tour, or `no tour`."""

import sys

from knight import knightsTour, read_board

if __name__ == "__main__":
    board = read_board(sys.stdin.read())
    print(board if knightsTour(board) else "no tour")
