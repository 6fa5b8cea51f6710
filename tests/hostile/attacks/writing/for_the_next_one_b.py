"""Looks for what the submission before it left.

Must not: find it.
Holds from: landlock
Verdicts: wrong-answer
"""

import builtins
import os
import sys


def solve(n, places, note):
    if hasattr(builtins, "left") or hasattr(sys, "left") or "LEFT" in os.environ:
        print(places["shout"])
    for folder in (".", "/tmp", "/dev/shm", "/var/tmp", places["drop"], "/box"):
        for name in ("left", "sitecustomize.py", "work.py", "__pycache__"):
            if os.path.exists(os.path.join(folder, name)):
                print(places["shout"], folder, name)
    return 0
