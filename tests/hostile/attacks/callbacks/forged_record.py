"""Calls the watched callback as it should, and then again to hide what it did before.

Must not: rewrite the record.
Verdicts: wrong-answer
"""

def solve(n, places, note):
    return 0


def apply(f, places):
    f(99)
    f(1)
    f(2)
    return 5
