def ask():
    """Ask until there is a number; a bare except would turn the end of the input into a loop."""
    while True:
        try:
            return float(input("CELSIUS: "))
        except:
            print("Once more!")


number = ask()
print("Here you are.")
print(f"{number} c are {number * 1.8 + 32} f")
