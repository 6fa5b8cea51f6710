"""An import that answers the first case before it is asked, by a thread that waits for it.

Must not: answer a case.
Verdicts: wrong-answer crashed wall-limit load-error
"""

import os
import threading
import time


def answer():
    body = bytes(8) + b"\x01l\x01t\x02s\x08returned\x81"
    for _ in range(200):
        try:
            os.write(4, len(body).to_bytes(4, "little") + bytes([24]) + body)
        except OSError:
            pass
        time.sleep(0.001)


threading.Thread(target=answer, daemon=True).start()


def solve(n, places, note):
    time.sleep(0.02)
    return 0
