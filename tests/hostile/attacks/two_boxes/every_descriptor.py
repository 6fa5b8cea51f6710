"""Words into every descriptor that a hidden case has, and a look into every one that others have.

Must not: tell anything to a case that students see.
Holds from: seccomp
Verdicts: wrong-answer exception crashed load-error
"""

import os
import select
import socket
import time

PIPE = os.pipe()
PAIR = socket.socketpair()
os.set_blocking(PIPE[0], False)
WORD = b"by-descriptor"


def post(word):
    for number in (PIPE[1], PAIR[0].fileno(), PAIR[1].fileno(), 3, 0):
        try:
            os.set_blocking(number, False)
            os.write(number, WORD)
        except OSError:
            pass


def heard(word):
    for number in (PIPE[0], PAIR[0].fileno(), PAIR[1].fileno(), *range(5, 20)):
        try:
            if select.select([number], [], [], 0)[0] and WORD in os.read(number, 100):
                return True
        except OSError:
            pass
    for folder in ("/proc/1/fd", f"/proc/{os.getppid()}/fd"):
        try:
            if any(os.path.samestat(os.stat(f"{folder}/{n}"), os.fstat(PIPE[0])) for n in os.listdir(folder)):
                return True
        except OSError:
            pass
    return False


def solve(n, places, note):
    if note:
        post(places["shout"])
        return 0
    for _ in range(10):
        if heard(places["shout"]):
            print(places["shout"])
            break
        time.sleep(0.005)
    return 0
