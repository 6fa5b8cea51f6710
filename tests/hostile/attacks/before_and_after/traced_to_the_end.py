"""A tracer that runs on while the box encodes the answer, and changes what it finds.

Must not: change what is judged for the better.
Verdicts: wrong-answer time-limit crashed exception wall-limit
"""

import sys


def trace(frame, event, argument):
    for name, value in list(frame.f_locals.items()):
        if type(value) is list and value and type(value[0]) is tuple:
            value[0] = ("returned", True)
    return trace


def solve(n, places, note):
    sys.settrace(trace)
    sys.setprofile(trace)
    return 0
