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
    return number + number + 0


def greet(name):
    print("greeting", name)
    return "hello " + name


def mirrored(point):
    return Point(point.y, point.x)


def dealt(cards):
    return random.sample(cards, 3)


def applied(function, value):
    return function(value)
