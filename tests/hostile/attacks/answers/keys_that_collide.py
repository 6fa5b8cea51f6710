"""A dict whose keys all have one hash, so that reading it takes for ever.

Must not: hold up the grader.
Verdicts: wrong-answer crashed output-limit time-limit
"""

def solve(n, places, note):
    step = (1 << 61) - 1
    return {1 + k * step for k in range(5_000)} if n % 2 else {(1 + k * step,): 0 for k in range(5_000)}
