"""Programs and processes by every door of the library.

Must not: be started.
Holds from: seccomp
Verdicts: wrong-answer exception forbidden
Succeeds under: posix
"""

import concurrent.futures
import multiprocessing
import os
import pty
import subprocess
import sys


def solve(n, places, note):
    for way in (
        lambda: subprocess.run([sys.executable, "-c", "0"], check=True),
        lambda: subprocess.check_output("id", shell=True),
        lambda: os.system("true") and 1 / 0,
        lambda: os.posix_spawn(sys.executable, ["python"], {}),
        lambda: os.execv(sys.executable, ["python"]),
        lambda: multiprocessing.Process(target=print).start(),
        lambda: pty.fork(),
        lambda: concurrent.futures.ProcessPoolExecutor(1).submit(print).result(),
    ):
        try:
            way()
        except (OSError, ZeroDivisionError):
            continue
        print(places["shout"])
    return 0
