"""Locks on a range of bytes, by the open file, of a box that stays open.

Must not: tell anything to a case that students see.
Verdicts: wrong-answer exception
"""

import fcntl
import os
import struct
import time

FILE = os.open(os.__file__, os.O_RDONLY)
GET, SET = 36, 37  # of the open file description


def lock(kind, word):
    return struct.pack("hhqqi4x", kind, 0, int(word[-8:], 16), 1, 0)


def post(word):
    fcntl.fcntl(FILE, SET, lock(fcntl.F_RDLCK, word))


def heard(word):
    mine = os.open(os.__file__, os.O_RDONLY)
    found = fcntl.fcntl(mine, GET, lock(fcntl.F_WRLCK, word))
    os.close(mine)
    return struct.unpack("hhqqi4x", found)[0] != fcntl.F_UNLCK


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
