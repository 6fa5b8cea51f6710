"""Numbers of more digits than may be turned into text, and floats of every edge.

Must not: keep the judge busy, or make a mark pending.
Verdicts: wrong-answer exception crashed output-limit
"""

def solve(n, places, note):
    if n == 2:
        return 1 << 1_000_000
    if n == 3:
        return [-(10**4299), 10**4300, -(10**5000)]
    if n == 4:
        return {1e308 * 10: float("nan"), -0.0: 5e-324, (1 << 60_000): complex("nan+infj")}
    return [10**4400] * 100


def apply(f, places):
    f(1 << 300_000)
    return -(1 << 300_000)
