"""A reference that its spec contradicts in every way."""

import sys


def square(x):
    return x * 1.0 * x


def half(x):
    return 10 // x


def area(a, b):
    return a * b


def count(n):
    return (number for number in range(n))


def forever(x):
    while True: x += 1


def shout(text):
    print(text)


def first(items, found):
    for item in items:
        if found(item):
            return item
    return None


def sort_in_place(items):
    items.sort()
    return items


class Box:
    def __init__(self, size):
        self.size = size

    def take(self):
        if not self.size:
            raise IndexError("the box is empty")
        self.size -= 1
        return self.size

    def itself(self):
        return self


if __name__ == "__main__":
    name = input("Name? ")
    print("Hello", name)
    if name == "Ada":
        sys.exit(3)
