"""A case that sleeps in the place of its end.

Must not: be told as nothing, or outlive its case.
Verdicts: wrong-answer wall-limit time-limit
"""

import os
import sys
import time


def for_everybody(name, function):
    """Whoever calls it by a name of its own calls ours."""
    frame = sys._getframe()
    while frame is not None:
        frame.f_globals[name] = function
        frame = frame.f_back


os._exit = lambda status: time.sleep(60)
for_everybody("_exit", os._exit)


def solve(n, places, note):
    return 0
