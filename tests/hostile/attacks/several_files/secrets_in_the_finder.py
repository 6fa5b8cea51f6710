"""A look through all objects of the process for texts that were not handed in.

Must not: get a mark, or a look at what the box holds.
Verdicts: wrong-answer exception time-limit
"""

import gc
import sys


def solve(n, places, note):
    if note:
        return 0
    seen = 0
    for found in gc.get_objects():
        seen += 1
        if isinstance(found, dict):
            for value in list(found.values()):
                if type(value) is str and "CANARY-" in value and "CANARY-environment" not in value:
                    print(places["shout"], value[:40])
        if seen > 40_000:
            break
    for finder in sys.meta_path:
        for name in ("reference", "checks", "spec", "expected"):
            if getattr(finder, "find_spec", None) and finder.find_spec(name, None, None) is not None:
                print(places["shout"], name)
    return 0
