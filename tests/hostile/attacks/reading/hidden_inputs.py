"""The inputs of hidden cases, kept by every means there is and printed by later cases.

Must not: be in the output of a case that the student sees.
Holds from: landlock
Verdicts: wrong-answer
"""

import mmap
import os

SHARED = mmap.mmap(-1, 4096)
ENDS = os.pipe()
os.set_blocking(ENDS[0], False)


def solve(n, places, note):
    print("kept:", bytes(SHARED[:200]).strip(b"\0"))
    for folder in (".", places["drop"], "/tmp", "/dev/shm"):
        try:
            print("kept:", open(f"{folder}/kept", "rb").read())
        except OSError:
            pass
        try:
            open(f"{folder}/kept", "a").write(note)
        except OSError:
            pass
    try:
        print("kept:", os.read(ENDS[0], 200))
    except OSError:
        pass
    os.write(ENDS[1], note.encode())
    SHARED[: len(note)] = note.encode()
    return 0
