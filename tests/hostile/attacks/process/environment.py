"""Environment, arguments, paths, limits, users: what a process is told at its start.

Must not: tell anything of the grader's.
Verdicts: wrong-answer
"""

import os
import pwd
import resource
import sys


def solve(n, places, note):
    print(dict(os.environ), sys.argv, sys.orig_argv, sys.path, sys.flags, sys.warnoptions, sys._xoptions)
    print(os.getcwd(), os.getuid(), os.getgid(), os.getgroups(), os.getppid(), os.getsid(0))
    print([resource.getrlimit(kind) for kind in range(16)])
    try:
        print(pwd.getpwuid(os.getuid()))
    except (KeyError, OSError):
        pass
    return 0
