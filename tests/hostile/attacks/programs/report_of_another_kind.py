"""A file to be collected that is a folder, a pipe, a device, a socket, or has a hole of a terabyte.

Must not: be read, or stop the grader.
Holds from: namespaces
Hands in: tool
Verdicts: wrong-answer output-limit
"""

import os
import stat
import sys

if len(sys.argv) == 2 and sys.argv[1] == "save":
    for make in (
        lambda: os.mkfifo("report.txt"),
        lambda: os.mknod("report.txt", stat.S_IFCHR | 0o666, os.makedev(1, 5)),
        lambda: os.link("/etc/passwd", "report.txt"),
    ):
        try:
            make()
            print("made one")
        except OSError:
            pass
    with open("report.txt", "wb") as file:
        try:
            file.truncate(1 << 40)
        except OSError:
            file.truncate(1 << 24)
