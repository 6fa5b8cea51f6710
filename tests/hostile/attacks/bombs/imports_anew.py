"""A slow import that leaves a thread, so that each case would import anew.

Must not: take more than the submission's budget.
Verdicts: wrong-answer
"""

import threading
import time

END = time.process_time() + 0.3
while time.process_time() < END:
    pass
threading.Thread(target=time.sleep, args=(100,), daemon=True).start()


def solve(n, places, note):
    return 0
