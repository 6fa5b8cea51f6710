"""Files in every folder that a box may write, and names in those that it may not.

Must not: tell anything to a case that students see.
Holds from: landlock
Verdicts: wrong-answer exception
"""

import os
import time

FOLDERS = (".", "/box", "/box/work", "/dev/shm/x", os.path.expanduser("~/none"))


def post(word):
    for folder in FOLDERS:
        try:
            open(os.path.join(folder, "word"), "w").write("heard")
        except OSError:
            pass


def heard(word):
    return any(os.path.exists(os.path.join(folder, "word")) for folder in FOLDERS)


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
