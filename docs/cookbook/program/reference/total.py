import sys


def main(arguments):
    lines = sys.stdin.read().split()
    try:
        numbers = [float(line) for line in lines]
    except ValueError:
        print("no number:", lines[0], file=sys.stderr)
        return 2
    print(len(numbers) if "--count" in arguments else f"{sum(numbers):g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
