"""Records that hold themselves, that are deeper than anything, and that are new each time one looks.

Must not: be accepted, or keep the grader looking.
Hands in: shapes
Verdicts: wrong-answer answer-size output-limit exception time-limit wall-limit memory-limit
"""


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


class Colour:
    Red = Green = property(lambda self: self)

    @property
    def x(self):
        return Point(self, Colour())


class Growing(Point):
    x = property(lambda self: Growing(0, 0))
    y = property(lambda self: [Point(0, 0)] * 10**6)

    def __init__(self, x, y):
        pass


def moved(point, by):
    point.x = point.y = point
    return point


def paint(point):
    for _ in range(10**5):
        point = Point(point, point)
    return point


def way(places):
    globals()["Point"] = Growing
    return [Growing(0, 0)]
