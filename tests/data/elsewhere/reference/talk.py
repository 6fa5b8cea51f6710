import sys

match sys.argv[1:]:
    case ["ask"]:
        name = input("Name? ")
        print(f"{name} is {input('Age? ')}")
    case ["write"]:
        with open("numbers.txt") as numbers, open("sum.txt", "w") as out:
            print(sum(map(int, numbers)), file=out)
    case _:
        print(sum(map(int, sys.stdin.read().split())))
