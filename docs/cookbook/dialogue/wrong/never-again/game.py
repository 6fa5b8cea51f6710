BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}
try:
    first = input("First? ")
    if first not in BEATS:
        print("No such thing.")
    else:
        second = input("Second? ")
        if first == second:
            print("Nobody wins.")
        else:
            print("First wins." if BEATS[first] == second else "Second wins.")
except EOFError:
    print("Bye.")
