import sys

total = count = 0
for line in sys.stdin:
    try:
        total += float(line)
    except ValueError:
        sys.stderr.write("no number: " + line)
        sys.exit(2)
    count += 1
print(count if sys.argv[1:] == ["--count"] else format(total, "g"))
