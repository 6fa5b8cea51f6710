BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}
first = input("First? ")
second = input("Second player? ")
if first == second:
    print("Nobody wins.")
else:
    print("First wins." if BEATS[first] == second else "Second wins.")
