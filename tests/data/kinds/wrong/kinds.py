import os
import time


def double(x):
    while x == 4:
        pass
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
