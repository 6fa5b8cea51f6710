"""Changes its arguments, and those of later calls by the objects that it kept.

Must not: change what the judge compares with.
Verdicts: wrong-answer
"""

KEPT = []


def solve(n, places, note):
    KEPT.append(places)
    places.clear()
    places["shout"] = "changed"
    for older in KEPT:
        older["spec"] = 0
    return 0


def apply(f, places):
    places.clear()
    return 0
