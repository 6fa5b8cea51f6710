import sys

if len(sys.argv) > 1:
    with open(sys.argv[1]) as file:
        print(2 * int(file.read()))
else:
    print(2 * int(input("How many? ")))
