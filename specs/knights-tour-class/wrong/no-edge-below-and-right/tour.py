# Name: Sample Program
# Student ID: 00000000
# E-mail: sample@example.org
"""The client program of KnightsTour."""

from knights_tour import KnightsTour


def read_square(question):
    """Ask for a row and a column."""
    row, column = input(question).split()
    return int(row), int(column)


def main():
    """Lead the dialogue."""
    row, column = read_square("Enter knight's starting position (row col): ")
    while not (0 <= row < KnightsTour.N and 0 <= column < KnightsTour.N):
        print("Invalid. Try again!")
        row, column = read_square("Enter knight's starting position (row col): ")
    tour = KnightsTour(row, column)
    tour.print()
    while tour.hasMoreMoves():
        row, column = read_square("Make a move (row col): ")
        if not tour.move(row, column):
            row, column = tour.lookAhead()
            print(f"Invalid. Make a suggested move for you: {row} {column}")
            tour.move(row, column)
        tour.print()
    if tour.isSolved():
        print("Finished. Well done!")
    else:
        print("Sorry. No more moves!")


if __name__ == "__main__":
    main()
