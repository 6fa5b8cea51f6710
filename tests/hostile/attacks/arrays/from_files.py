"""Arrays mapped from files: secrets, devices, pickles, memory of others.

Must not: read anything.
Holds from: landlock
Hands in: grid
Verdicts: wrong-answer
"""

import numpy as np


def squares(n, places):
    for name in ("canary", "spec", "checkers", "other"):
        for load in (
            lambda path: np.memmap(path, dtype="u1", mode="r"),
            lambda path: np.fromfile(path, dtype="u1"),
            lambda path: np.load(path, allow_pickle=True),
        ):
            try:
                print(bytes(load(places[name])[:200]), places["shout"])
            except (OSError, ValueError):
                continue
    return np.zeros((2, 2))
