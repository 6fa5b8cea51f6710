"""Text that a call is to print, claimed past it: the stream exchanged, its switch flooded and turned off.

Must not: be accepted, or fill memory.
Hands in: shapes
Verdicts: wrong-answer output-limit answer-size memory-limit crashed exception
"""

import gc
import sys


class Yes(str):
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0


def show(n):
    for thing in gc.get_objects():
        if type(thing).__name__ == "Capture":
            thing.off = lambda: Yes("**")
    sys.stdout = sys.__stdout__ = sys.stderr
    print("***")
    return "***"


def moved(point, by):
    while True:
        sys.stdout.write("x" * 10**6)
