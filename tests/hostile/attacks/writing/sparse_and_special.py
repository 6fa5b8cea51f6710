"""A file of a terabyte, pipes, devices, set-uid programs, deep folders.

Must not: be made, or be of use.
Holds from: landlock
Verdicts: wrong-answer crashed time-limit
"""

import os
import stat


def solve(n, places, note):
    for way in (
        lambda: os.truncate(os.open("sparse", os.O_CREAT | os.O_RDWR), 1 << 40),
        lambda: os.posix_fallocate(os.open("filled", os.O_CREAT | os.O_RDWR), 0, 1 << 30),
        lambda: os.mknod("device", stat.S_IFCHR | 0o666, os.makedev(1, 1)),
        lambda: os.mkfifo("pipe"),
        lambda: os.execv(os.path.abspath("filled"), ["x"]),
    ):
        try:
            way()
        except OSError:
            continue
        print(places["shout"])
    try:
        for _ in range(2000):
            os.mkdir("d")
            os.chdir("d")
    except OSError:
        pass
    return 0
