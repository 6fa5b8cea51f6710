"""A box that writes frames of every kind on both channels while a case of it runs and dies.

Must not: keep the keeper from its limits, or be taken for an answer.
Verdicts: crashed wall-limit load-error wrong-answer forbidden exception
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


def die(n):
    if n == 2:
        os._exit(0)
    if n == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if n == 4:
        os.closerange(3, 1024)
        os.execv("/bin/true", ["true"])
    os.abort()



def tick(*_):
    for kind in KINDS:
        send(3, frame(kind))
        send(4, frame(kind)[:3])


# A timer, not a thread: with a thread left each case would have an import of its own.  The box hears no signals
# between its cases, so it speaks only if one gets through to it.
signal.signal(signal.SIGALRM, tick)
signal.setitimer(signal.ITIMER_REAL, 0.03)


def solve(n, places, note):
    time.sleep(0.1)
    die(n)
