import sys

WORDS = ["rock", "paper", "scissors"]
chosen = []
try:
    for prompt in ("First? ", "Second? "):
        word = input(prompt)
        while word not in WORDS:
            word = input("No such thing.\n" + prompt)
        chosen.append(WORDS.index(word))
except EOFError:
    print("Bye.")
    sys.exit()
print(["Nobody wins.", "First wins.", "Second wins."][(chosen[0] - chosen[1]) % 3])
