"""An import that leaves the box hardly any memory to fork and to answer with.

Must not: make a mark pending.
Verdicts: wrong-answer memory-limit load-error crashed exception
"""

HELD = []
try:
    while True:
        HELD.append(bytes(1 << 20))
except MemoryError:
    pass


def solve(n, places, note):
    return 0
