"""The worker's own objects, found through frames: its steps, its names, its encoder, all exchanged.

Must not: bring to light what is expected, or be accepted.
Hands in: shapes
Verdicts: wrong-answer crashed exception
"""

import sys


def walk():
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


class Tally:
    def __init__(self, start):
        self.total = 0
        for frame in walk():
            for name, value in list(frame.f_locals.items()):
                if name in ("expected", "returns", "task", "spec", "checker"):
                    print("success-", name, value)
                if type(value).__name__ == "Scene":
                    value._steps = iter([("", True)] * 100)
                    value.keep = lambda _: True
                if name == "request":
                    for call in value["calls"]:
                        call["args"] = [["value", 0]]

    def add(self, number):
        return number
