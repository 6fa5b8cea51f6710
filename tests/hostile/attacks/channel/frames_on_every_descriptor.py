"""Frames with and without the nonce on every descriptor there is.

Must not: be taken for a right answer, or for anybody else's.
Verdicts: wrong-answer crashed
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
    for descriptor in range(3, 1024):
        for body in (bytes(8) + WRONG, nonce() + WRONG):
            try:
                os.write(descriptor, frame(ANSWER, body))
            except OSError:
                pass
    return 0
