"""Signals to every process that there may be, and a box that counts those it gets.

Must not: tell anything to a case that students see.
Holds from: seccomp
Verdicts: wrong-answer exception
"""

import os
import signal
import time

GOT = []
signal.signal(signal.SIGUSR1, lambda *_: GOT.append(1))
signal.signal(signal.SIGUSR2, lambda *_: GOT.append(1))
ME = os.getpid()


def send(number):
    for pid in (*range(1, 60), *range(ME - 40, ME + 40)):
        if pid not in (ME, os.getpid()):
            try:
                os.kill(pid, number)
            except OSError:
                pass


def post(word):
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        send(number)


def heard(word):
    return bool(GOT)


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
