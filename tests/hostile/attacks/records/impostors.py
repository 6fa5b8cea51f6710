"""Instances of other classes that are called as the declared ones are, and have all that they have.

Must not: be accepted; a record is an instance of the module's own class, by identity.
Hands in: shapes
Verdicts: wrong-answer
"""

import enum
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


class Colour(enum.Enum):
    Red = 1
    Green = 2


Real = Point


class Impostor:
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0
    __class__ = Real
    x, y = 4, 5


Impostor.__name__ = Impostor.__qualname__ = "Point"


def moved(point, by):
    return Impostor()


def paint(point):
    return enum.Enum("Colour", "Red Green").Green


def way(places):
    return [Impostor(), Impostor()]
