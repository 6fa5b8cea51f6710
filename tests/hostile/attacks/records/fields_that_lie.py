"""Fields that are properties, descriptors and `__getattr__`, and give what agrees with everything.

Must not: be accepted.
Hands in: shapes
Verdicts: wrong-answer
"""

import enum


class Yes:
    __eq__ = __lt__ = __gt__ = lambda self, other: True
    __hash__ = lambda self: 0
    __bool__ = lambda self: True
    __repr__ = lambda self: "4"
    __class__ = int


class Field:
    def __get__(self, instance, owner):
        return Yes()

    def __set__(self, instance, value):
        pass


class Point:
    x = Field()

    def __init__(self, x, y):
        pass

    def __getattr__(self, name):
        return Yes()


class Colour(enum.Enum):
    Red = 1
    Green = 2
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0


def moved(point, by):
    return point


def paint(point):
    return Colour.Red
