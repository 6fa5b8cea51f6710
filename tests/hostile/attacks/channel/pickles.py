"""Pickles and marshalled code in the place of answers.

Must not: be loaded by anybody.
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


import marshal
import pickle


class Bomb:
    def __reduce__(self):
        return os.system, ("touch /tmp/pickled",)


def solve(n, places, note):
    body = pickle.dumps(Bomb()) if n % 2 else marshal.dumps(solve.__code__)
    os.write(4, frame(ANSWER, nonce() + b"\x01" + body))
    os._exit(0)
