"""Calls the callback with itself, cycles, liars and giants.

Must not: run anything on the grader's side.
Verdicts: wrong-answer exception output-limit
"""

class Liar(int):
    __add__ = __radd__ = __eq__ = lambda self, other: 10**100
    __reduce__ = lambda self: (exec, ("import os; os._exit(0)",))


def solve(n, places, note):
    return 0


def apply(f, places):
    cycle = []
    cycle.append(cycle)
    for value in (f, cycle, Liar(1), 1 << 100_000, "x" * 100_000, float("nan"), {1: {2: {3: f}}}, "__import__('os')"):
        try:
            f(value)
        except RuntimeError:
            pass
    return 5
