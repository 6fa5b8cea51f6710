"""As many threads as the machine will make.

Must not: use up the machine's.
Holds from: seccomp
Verdicts: wrong-answer time-limit
"""

import threading
import time


def solve(n, places, note):
    threading.stack_size(32768)
    made = 0
    try:
        while made < 3000:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            made += 1
    except RuntimeError:
        pass
    if made > 150:
        print(places["shout"], made)
    return 0
