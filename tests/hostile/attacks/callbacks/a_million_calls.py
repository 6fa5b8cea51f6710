"""Calls the callback for ever, with ever larger arguments.

Must not: keep the grader busy, or fill its memory.
Verdicts: wrong-answer output-limit time-limit wall-limit exception memory-limit
"""

def solve(n, places, note):
    return 0


def apply(f, places):
    size = 1
    while True:
        f([0] * size)
        size *= 2
