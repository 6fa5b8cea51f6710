"""A daemon that is meant to outlive its case and write on.

Must not: be started, or be left.
Holds from: seccomp
Verdicts: wrong-answer
"""

import os
import time


def solve(n, places, note):
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 1024)
                for _ in range(100):
                    open(places["drop"] + "/heartbeat", "a").write("x")
                    time.sleep(0.1)
            os._exit(0)
        print(places["shout"])
    except OSError:
        pass
    return 0
