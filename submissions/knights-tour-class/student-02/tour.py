# Name:       Student 2
# Student ID: 1155000002
# E-mail:     student-02@example.org
# Assignment 4: client program

import sys

from knights_tour import KnightsTour


def readTwo(prompt):
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline().split()
    return int(line[0]), int(line[1])


def main():
    while True:
        row, col = readTwo("Enter knight's starting position (row col): ")
        if row < 0 or row > 5 or col < 0 or col > 5:
            sys.stdout.write("Invalid. Try again!\n")
        else:
            break
    tour = KnightsTour(row, col)
    tour.print()
    while True:
        row, col = readTwo("Make a move (row col): ")
        if not tour.move(row, col):
            (r, c) = tour.lookAhead()
            sys.stdout.write("Invalid. Make a suggested move for you: %d %d\n" % (r, c))
            tour.move(r, c)
        tour.print()
        if not tour.hasMoreMoves():
            break
    if tour.isSolved():
        sys.stdout.write("Finished. Well done!\n")
    else:
        sys.stdout.write("Sorry. No more moves!\n")


main()
