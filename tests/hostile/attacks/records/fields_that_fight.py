"""Fields that end the process, wait, spin, raise what cannot be caught, or are not there.

Must not: be accepted, or keep the grader waiting.
Hands in: shapes
Verdicts: wrong-answer crashed time-limit wall-limit exception
"""

import os
import time


class Point:
    __slots__ = ("kind", "x")

    def __init__(self, x, y):
        self.kind = (x, y)

    def __getattribute__(self, name):
        if name == "x":
            raise SystemExit(0)
        if name == "y":
            while True:
                pass
        return object.__getattribute__(self, name)


class Spinning(type):
    def __getattribute__(cls, name):
        if name in ("Red", "Green"):
            os._exit(0)
        return type.__getattribute__(cls, name)


class Colour(metaclass=Spinning):
    Red = Green = 0


def moved(point, by):
    return point


def paint(point):
    time.sleep(9)
