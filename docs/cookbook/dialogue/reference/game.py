BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


def ask(prompt):
    while (word := input(prompt)) not in BEATS:
        print("No such thing.")
    return word


def main():
    try:
        first, second = ask("First? "), ask("Second? ")
    except EOFError:
        print("\nBye.")
        return
    if first == second:
        print("Nobody wins.")
    else:
        print("First wins." if BEATS[first] == second else "Second wins.")


main()
