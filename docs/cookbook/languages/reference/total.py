import sys

total = 0.0
for word in sys.stdin.read().split():
    try:
        total += float(word)
    except ValueError:
        print("no number", file=sys.stderr)
        sys.exit(2)
print(f"{total:g}")
