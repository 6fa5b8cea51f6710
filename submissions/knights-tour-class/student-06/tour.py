# Name:       Student 6
# Student ID: 1155000006
# E-mail:     student-06@example.org
"""Client of the class KnightsTour: asks the user for the start and for every move."""

from knights_tour import KnightsTour

START = "Enter knight's starting position (row col):"
MOVE = "Make a move (row col): "


def ask(prompt):
    """Return two integers that the user types on one line."""
    numbers = input(prompt).split()
    return int(numbers[0]), int(numbers[1])


def ask_start():
    """Ask for the starting position until it is on the board."""
    size = KnightsTour.N
    while True:
        x, y = ask(START)
        if x in range(size) and y in range(size):
            return x, y
        print("Invalid. Try again!")


def main():
    """Run the dialogue until the knight is stuck or done."""
    tour = KnightsTour(*ask_start())
    tour.print()
    while tour.hasMoreMoves():
        if not tour.move(*ask(MOVE)):
            suggested = tour.lookAhead()
            print("Invalid. Make a suggested move for you:", *suggested)
            tour.move(*suggested)
        tour.print()
    print("Finished. Well done!" if tour.isSolved() else "Sorry. No more moves!")


if __name__ == "__main__":
    main()
