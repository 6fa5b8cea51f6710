"""Answers by the number of the call, and keeps what it was asked.

Must not: see what an earlier case left in a name, a default, a module or an attribute.
Verdicts: wrong-answer
"""

import functools
import math

SEEN = []


@functools.cache
def first(_=None):
    return SEEN


def solve(n, places, note, kept=[]):
    if SEEN or kept or hasattr(math, "kept") or hasattr(solve, "kept") or first():
        print(places["shout"])
    SEEN.append(n)
    kept.append(n)
    math.kept = solve.kept = n
    return 0
