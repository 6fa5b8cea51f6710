"""A case that computes in the place of its end.

Must not: be told as nothing, or outlive its case.
Verdicts: wrong-answer time-limit
"""

import os


def work(status):
    while True:
        pass


os._exit = work


def solve(n, places, note):
    return 0
