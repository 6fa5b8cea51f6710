"""The declared class exchanged for another while a case runs, and one whose metaclass says yes to all.

Must not: be accepted.
Hands in: shapes
Verdicts: wrong-answer exception
"""

import sys


class Meta(type):
    __eq__ = __instancecheck__ = __subclasscheck__ = lambda cls, other: True
    __hash__ = lambda cls: 0
    __call__ = lambda cls, *args: tuple.__new__(Other, args)


class Other(tuple):
    x = y = property(lambda self: 4)


class Point(metaclass=Meta):
    pass


class Colour:
    Red = Green = 1


def moved(point, by):
    module = sys.modules[__name__]
    module.Point = Other
    return Other((4, 5))


def paint(point):
    global Colour
    Colour = type("Colour", (), {"Green": 2})
    return Colour()
