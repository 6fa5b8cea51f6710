"""Recursion without a limit, in Python and in C.

Must not: take more than its own process along.
Verdicts: crashed memory-limit exception time-limit
"""

import sys


def dive(depth):
    return dive(depth + 1) + 1


def solve(n, places, note):
    sys.setrecursionlimit(10**9)
    if n % 2:
        found = []
        for _ in range(200_000):
            found = map(str, found)
        return list(found)
    return dive(0)
