import sys

total, count = 0, 0
line = input()
while line != "":
    total += float(line)
    count += 1
    line = input()
print(count if sys.argv[1:] == ["--count"] else format(total, "g"))
