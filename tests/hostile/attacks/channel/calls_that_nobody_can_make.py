"""Callbacks called by frames, where there are none, and by names that there are not.

Must not: reach a callback, or the grader.
Verdicts: crashed wrong-answer wall-limit
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
    os.write(4, frame(CALLBACK, nonce() + b"t\x02s\x01ft\x01\x81"))
    return 0


def apply(f, places):
    for name in (b"f", b"g", b"__import__", b"\xff", b""):
        body = b"t\x02s" + bytes([len(name)]) + name + b"t\x01\x81"
        os.write(4, frame(CALLBACK, nonce() + body))
    time.sleep(0.05)
    return 0
