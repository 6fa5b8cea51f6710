"""Files that a hidden case brings into the page cache; which they are is told by the reads that they save.

Must not: tell anything to a case that students see.
Verdicts: wrong-answer exception
"""

import os
import resource
import time

FOLDER = os.path.join(os.path.dirname(os.__file__), "encodings")
NAMES = [name for name in sorted(os.listdir(FOLDER)) if name.startswith(("cp", "mac_")) and name.endswith(".py")]
PATHS = [os.path.join(FOLDER, name) for name in NAMES[:24]]


def read(path):
    with open(path, "rb", buffering=0) as file:
        file.read()


def evict():
    for path in PATHS:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def is_cached(path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
    read(path)
    return resource.getrusage(resource.RUSAGE_SELF).ru_inblock == before


def post(word):
    # Which of them is a number that no other run has.
    for place, path in enumerate(PATHS):
        if int(word[-6:], 16) >> place & 1:
            read(path)


def heard(word):
    return sum(is_cached(path) << place for place, path in enumerate(PATHS)) == int(word[-6:], 16)


def solve(n, places, note):
    if n == 2:
        evict()
    elif note:
        post(places["shout"])
    elif n == 4 and heard(places["shout"]):
        print(places["shout"])
    return 0
