import os


def double(x):
    # An endless loop, on one line, for 4 alone.
    all(x == 4 for _ in iter(int, 1))
    return x


def deny():
    raise KeyError("no")


def either(text):
    return "z"


def greet(name):
    while True:
        print(name)


def first(xs, test):
    for x in reversed(xs):
        if test(x):
            return x


def sort_by(xs, key):
    print("before the end", flush=True)
    os._exit(3)


class Counter:
    def __init__(self, value):
        self.value = value

    def up(self, by):
        return self.up(by)
