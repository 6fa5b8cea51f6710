"""A list a million levels deep.

Must not: bring down who reads it.
Verdicts: output-limit crashed time-limit
"""

def solve(n, places, note):
    value = []
    for _ in range(1_000_000):
        value = [value]
    return value
