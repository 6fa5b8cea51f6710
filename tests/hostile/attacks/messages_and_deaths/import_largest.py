"""Headers of 4 GiB from the import, on both channels, which then exits.

Must not: keep the keeper from its limits, or be taken for an answer.
Verdicts: load-error
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


for kind in KINDS:
    send(4, b'\xff\xff\xff\xff' + bytes([kind]))
for kind in KINDS:
    send(3, b'\xff\xff\xff\xff' + bytes([kind]))
os._exit(0)
