"""Gives the right answer without calling the callback that the case watches.

Must not: be accepted.
Verdicts: wrong-answer
"""

def solve(n, places, note):
    return 0


def apply(f, places):
    return 5
