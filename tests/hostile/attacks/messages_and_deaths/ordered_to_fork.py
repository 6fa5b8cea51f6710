"""A box that takes orders to fork from the keeper's channel and answers them with words.

Must not: keep the keeper from its limits, or be taken for an answer.
Verdicts: crashed wall-limit load-error
"""

import os
import signal
import sys
import time

ANSWER, CALLBACK, ABSENT, STEP, READ, IMPORTED, OVERSIZE, READY = 24, 25, 27, 30, 29, 22, 28, 21
KINDS = (ANSWER, CALLBACK, ABSENT, STEP, READ, IMPORTED, OVERSIZE, READY, 20, 23, 26, 0, 255)


def frame(kind, body=b""):
    return len(body).to_bytes(4, "little") + bytes([kind]) + body


def nonce():
    found = sys._getframe()
    while found is not None:
        for value in found.f_locals.values():
            if type(value).__name__ == "Channel":
                return value._nonce
        found = found.f_back
    return bytes(8)


def send(channel, words):
    try:
        os.set_blocking(channel, False)
        os.write(channel, words)
    except OSError:
        pass


def read(descriptor, length):
    said = real(descriptor, length)
    send(3, frame(KINDS[len(said)]))
    send(4, frame(0)[:3])
    time.sleep(0.02)
    os._exit(87)  # as one that the host denied a process


real = os.read
found = sys._getframe()
while found is not None:
    # The box's own loop reads by a name of its own, and so does a case.
    found.f_globals["_read"] = read
    if "calls" in found.f_globals:
        found.f_globals["calls"]._read = read
    found = found.f_back


def solve(n, places, note):
    return 0
