"""NaN, in all its places, where equality is not what it seems.

Must not: be accepted.
Verdicts: wrong-answer
"""

NAN = float("nan")


def solve(n, places, note):
    return (NAN, [NAN], {NAN}, {NAN: NAN}, complex(NAN, NAN), -0.0)[n % 6]
