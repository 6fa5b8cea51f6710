"""Leaves word for the next submission, wherever it can.

Must not: be found by it.
Holds from: landlock
Verdicts: wrong-answer
"""

import builtins
import mmap
import os
import sys

builtins.left = sys.left = "left"
SHARED = mmap.mmap(-1, 4096)


def solve(n, places, note):
    for folder in (".", "/tmp", "/dev/shm", "/var/tmp", places["drop"], os.environ.get("TMPDIR", "."), "/box"):
        for name in ("left", "sitecustomize.py", "work.py", "__pycache__"):
            try:
                with open(os.path.join(folder, name), "w") as file:
                    file.write("left")
            except OSError:
                pass
    os.environ["LEFT"] = "left"
    return 0
