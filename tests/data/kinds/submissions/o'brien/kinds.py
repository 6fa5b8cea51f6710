import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int


class Account:
    def __init__(self, balance):
        self.balance = balance

    def add(self, amount):
        self.balance += amount
        return self.balance


def double(number):
    print("doubling\x1b[31m ::error::")
    return number * 3


def greet(name):
    print("greeting", name)
    return "hello " + name


def mirrored(point):
    raise KeyError("\u202e odd")


def dealt(cards):
    return random.sample(cards, 2)


def applied(function, value):
    return function(value)
