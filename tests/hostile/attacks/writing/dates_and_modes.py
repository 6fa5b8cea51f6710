"""Modes, owners, dates and attributes of files that are not its own, by path and by descriptor.

Must not: change.
Holds from: seccomp
Verdicts: wrong-answer
"""

import fcntl
import os


def solve(n, places, note):
    library = os.__file__
    for path in (places["spec"], places["other"], places["canary"], places["drop"], library):
        for way in (
            lambda: os.chmod(path, 0o777),
            lambda: os.chown(path, os.getuid(), os.getgid()),
            lambda: os.utime(path, (1, 1)),
            lambda: os.setxattr(path, "user.x", b"1"),
            lambda: os.utime(os.open(path, os.O_RDONLY), (1, 1)),
            lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o777),
            lambda: fcntl.fcntl(os.open(path, os.O_RDONLY), 1024, fcntl.F_RDLCK) == 0 and print(places["shout"]),
        ):
            try:
                way()
            except OSError:
                pass
    return 0
