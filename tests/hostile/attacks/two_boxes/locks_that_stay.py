"""A lock that a hidden case takes on a file which the box that imported the module has open.

Must not: tell anything to a case that students see.
Verdicts: wrong-answer exception
"""

import fcntl
import os
import time

FOLDER = os.path.dirname(os.__file__)
PATHS = sorted(one.path for one in os.scandir(FOLDER) if one.is_file(follow_symlinks=False))[:32]
FILES = [os.open(path, os.O_RDONLY) for path in PATHS]


def lock(word):
    # Which files are locked is a number that no other run has.
    for place, file in enumerate(FILES):
        if int(word[-8:], 16) >> place & 1:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(path):
    mine = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(mine, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except OSError:
        return True
    finally:
        os.close(mine)


def heard(word):
    return sum(is_locked(path) << place for place, path in enumerate(PATHS)) == int(word[-8:], 16)


def post(word):
    # They belong to the open files, not to the process of the case.
    lock(word)


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
