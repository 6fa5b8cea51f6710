"""Answers far over every limit: bytes, items, bits, keys.

Must not: be read whole.
Verdicts: output-limit memory-limit time-limit exception
"""

def solve(n, places, note):
    return ("x" * 40_000_000, [0] * 3_000_000, 1 << (1 << 27), {k: k for k in range(300_000)})[n % 4]
