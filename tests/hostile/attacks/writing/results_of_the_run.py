"""The run's own results, overwritten as soon as they are there.

Must not: be within reach.
Holds from: landlock
Verdicts: wrong-answer
"""

import os
import time


def solve(n, places, note):
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        for name in ("results.json", "run.sqlite", "marks.csv", "index.html", "junit.xml"):
            try:
                with open(os.path.join(places["out"], name), "r+") as file:
                    file.write("x" * 1000)
                print(places["shout"], name)
            except OSError:
                pass
        time.sleep(0.05)
    return 0
