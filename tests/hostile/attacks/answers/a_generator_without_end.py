"""An infinite generator, a coroutine and a callable, in place of an answer.

Must not: be run by who reads it.
Verdicts: wrong-answer
"""

import itertools


async def later():
    return 10


def solve(n, places, note):
    return (itertools.count(), (0 for _ in iter(int, 1)), lambda: 10, later)[n % 4]
