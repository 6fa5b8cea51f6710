"""A header that announces 4 GiB, and then silence.

Must not: be waited for, or reserve memory.
Verdicts: crashed
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


def solve(n, places, note):
    os.write(4, b"\xff\xff\xff\xff" + bytes([ANSWER]))
    time.sleep(60)
