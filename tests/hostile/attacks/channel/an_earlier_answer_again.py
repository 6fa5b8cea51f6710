"""The frame of the first case, kept in shared memory and sent as the answer to all others.

Must not: answer a later case.
Verdicts: wrong-answer crashed wall-limit
"""

import os
import sys
import time

ANSWER, CALLBACK, ABSENT, STEP, READ, IMPORTED = 24, 25, 27, 30, 29, 22


def frame(kind, body):
    return len(body).to_bytes(4, "little") + bytes([kind]) + body


def nonce():
    found = sys._getframe()
    while found is not None:
        for value in found.f_locals.values():
            if type(value).__name__ == "Channel":
                return value._nonce
        found = found.f_back
    return bytes(8)


WRONG = b"\x01l\x01t\x02s\x08returned\x80"  # 0, as the worker would write it


import mmap

KEPT = mmap.mmap(-1, 4096)


def solve(n, places, note):
    if n == 2:
        sent = frame(ANSWER, nonce() + WRONG)
        KEPT[: len(sent)] = sent
        return 0
    os.write(4, KEPT[: 13 + len(WRONG)])
    time.sleep(60)
