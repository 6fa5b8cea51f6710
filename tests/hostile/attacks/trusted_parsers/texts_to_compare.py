"""Printed texts and values whose difference is dear to find.

Must not: keep the judge busy.
Hands in: shapes
Verdicts: wrong-answer exception crashed output-limit missing
"""

class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


def show(n):
    for number in range(8_000):
        print("*" * (number % 5), end="\r\n")


def moved(point, by):
    return "a" * 100_000 + "b"


def paint(point):
    return ["*"] * 20_000


def way(places):
    return [(n % 3, n % 2) for n in range(20_000)]


class Tally:
    def __init__(self, start):
        self.total = {n: str(n) * 5 for n in range(8_000)}

    def add(self, number):
        print("\t\0" * 20_000)
        return self.total
