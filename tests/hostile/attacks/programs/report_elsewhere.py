"""A file to be collected that is a link to somebody else's: to secrets, to an endless device, to a folder.

Must not: bring anything back, or keep the grader reading.
Holds from: namespaces
Hands in: tool
Verdicts: wrong-answer
"""

import ast
import os
import sys

PLACES = ast.literal_eval(sys.argv[2]) if len(sys.argv) == 3 else {}
targets = [*map(str, PLACES.values()), "/dev/zero", "/dev/stdin", "/proc/self/environ", "/etc/passwd", ".", "report.txt"]
for number, target in enumerate(targets):
    try:
        os.symlink(target, f"report{number}.txt")
        print(open(f"report{number}.txt", "rb").read(100))
    except OSError:
        pass
os.symlink(("/dev/zero", "/etc/passwd")[os.getpid() % 2], "report.txt")
