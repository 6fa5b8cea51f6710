"""True where 1 is due, a float where an int is, bytes where a text is.

Must not: be accepted.
Verdicts: wrong-answer
"""

def solve(n, places, note):
    return (True, float(n * n + 1), str(n * n + 1), str(n).encode(), [n * n + 1], (n * n + 1,))[n % 6]
