"""A case that sleeps in the place of its end.

Must not: be told as nothing, or outlive its case.
Verdicts: wrong-answer wall-limit time-limit
"""

import os
import time

os._exit = lambda status: time.sleep(60)


def solve(n, places, note):
    return 0
