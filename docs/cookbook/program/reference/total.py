import sys


def main(arguments):
    numbers = []
    for word in sys.stdin.read().split():
        try:
            numbers.append(float(word))
        except ValueError:
            print("no number:", word, file=sys.stderr)
            return 2
    print(len(numbers) if "--count" in arguments else f"{sum(numbers):g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
