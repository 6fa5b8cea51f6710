"""Assignment 4, main program."""

from knights_tour import KnightsTour

x, y = map(int, input("Enter knight's starting position (row col): ").split())
if not (0 <= x <= 5 and 0 <= y <= 5):
    print("Invalid. Try again!")
    x, y = map(int, input("Enter knight's starting position (row col): ").split())
k = KnightsTour(x, y)
k.print()
while k.hasMoreMoves():
    x, y = map(int, input("Make a move (row col): ").split())
    if not k.move(x, y):
        x, y = k.lookAhead()
        print("Invalid. Make a suggested move for you:", x, y)
        k.move(x, y)
    k.print()
if k.isSolved():
    print("Finished. Well done!")
else:
    print("Sorry. No more moves!")
