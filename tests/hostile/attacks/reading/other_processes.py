"""/proc of every process: environment, arguments, folders, memory, descriptors.

Must not: be read.
Holds from: landlock
Verdicts: wrong-answer output-limit
Succeeds under: posix
"""

import os


def solve(n, places, note):
    pids = [str(pid) for pid in {1, os.getppid(), places["grader"], places["victim"], *range(2, 60)}]
    for pid in (*pids, "self", "thread-self"):
        for name in ("environ", "cmdline", "maps", "mem", "auxv", "stack", "cwd/x", "root/etc/passwd", "fd/3"):
            try:
                with open(f"/proc/{pid}/{name}", "rb") as file:
                    print(places["shout"], pid, name, file.read(200))
            except (OSError, OverflowError):
                pass
        for name in ("fd", "cwd", "root", "task", "map_files", "ns"):
            try:
                print(places["shout"], pid, os.listdir(f"/proc/{pid}/{name}"))
            except OSError:
                pass
    return 0
