import sys

if sys.argv[1:] == ["ask"]:
    print(input("Who? "))
elif sys.argv[1:] == ["write"]:
    raise SystemExit("can not")
else:
    for line in sys.stdin:
        print(line, end="")
