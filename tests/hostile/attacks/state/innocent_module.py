"""A module that looks as if it kept no state, but for a trick with a default, a format or a cache.

Must not: run where cases share a process, or pass anything on there.
Verdicts: wrong-answer
"""

TABLE = [0]


def solve(n, places, note, cell=TABLE):
    if cell[0]:
        print(places["shout"])
    cell[0] = 1
    return 0
