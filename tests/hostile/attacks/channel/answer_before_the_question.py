"""Answers written at import, before any case was asked.

Must not: answer a case.
Verdicts: load-error wrong-answer crashed
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


for descriptor in (3, 4):
    for _ in range(5):
        try:
            os.write(descriptor, frame(ANSWER, bytes(8) + WRONG))
        except OSError:
            pass


def solve(n, places, note):
    return 0
